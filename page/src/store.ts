/**
 * What the page knows. Three kinds of state are kept apart: what the studio says (read only here, changed by asking it), how
 * this person likes the page (kept in the browser), and what vanishes (hover, open menus), which lives in its component.
 */

import { computed, effect, signal, type Signal } from "@preact/signals";
import type { Document, Edit, FromStudio, OfferInfo, Scene, Status, Welcome, Wishes } from "./wire/messages";
import { Assembler } from "./wire/assembler";
import type { Frame, Ghosts } from "./wire/frames";
import { ask, connect, link, Refused, send } from "./wire/connection";

// --- what the studio says ---

export const welcome = signal<Welcome | null>(null);
export const scene = signal<Scene | null>(null);
export const doc = signal<Document | null>(null);
export const status = signal<Status | null>(null);
/** The motion that is open in the editor, and what is wanted of it. */
export const edit = signal<Edit | null>(null);
export const log = signal<string[]>([]);

export const directing = computed(() => status.value !== null && status.value.director === welcome.value?.page);
export const live = computed(() => status.value?.mode === "live");
/** Whether a drag pulls from outside, by a spring; else the character goes there by its own strength. */
export const pulled = computed(() => doc.value?.engine === "stiff");

/** Whether only some joints move, and nobody can be directed. */
export const adaptive = computed(() => doc.value?.engine === "adaptive");

/** The newest frame; not a signal: sixty a second go to listeners without a detour. */
export const newest: { frame: Frame | null } = { frame: null };
export const onFrame = new Set<(frame: Frame) => void>();
export const onGhosts = new Set<(ghosts: Ghosts) => void>();

// --- how this person likes it ---

export type Theme = "dark" | "light" | "auto";
export type Mode = "bone" | "center" | "turn" | "pose" | "pin" | "passive" | "camera";
export type Plane = "camera" | "floor" | "axis";
export type Layer =
  | "surface"
  | "cage"
  | "nodes"
  | "skeleton"
  | "contacts"
  | "center"
  | "flagged"
  | "before"
  | "ahead"
  | "trails"
  | "torques"
  | "active"
  | "grid";

export const theme = kept<Theme>("theme", "auto");
export const layers = kept<Record<Layer, boolean>>("layers", {
  surface: true,
  cage: false,
  nodes: false,
  skeleton: false,
  contacts: false,
  center: false,
  flagged: false,
  before: false,
  ahead: false,
  trails: false,
  torques: false,
  active: true,
  grid: true,
});
export const horizon = kept("horizon", 1.0);
export const beforeCount = kept("beforeCount", 4);
export const beforeSpacing = kept("beforeSpacing", 0.1);
export const follow = kept("follow", false);
export const inspectorOpen = kept("inspectorOpen", true);
export const inspectorTab = kept("inspectorTab", "goals");
export const timelineOpen = kept("timelineOpen", true);
export const timelineHeight = kept("timelineHeight", 156);
export const tourSeen = kept("tourSeen", false);

// --- what vanishes ---

export const mode = signal<Mode>("bone");
export const plane = signal<Plane>("camera");
/** Number of the bone that is selected, -1 if none is. */
export const selected = signal(-1);
/** What a click would do where the pointer is. */
export const hint = signal("");
/** While the key is held, ghosts of the future are shown whatever the layer says. */
export const peek = signal(false);
/** Whether somebody looks at what a step costs, so that it is measured. */
export const costShown = signal(false);
export const dialog = signal<"" | "gallery" | "keys" | "palette" | "export" | "save" | "open" | "tour">("");
/** A short message, and what can be done about it. */
export type Toast = { id: number; level: "info" | "warning" | "error"; text: string; offer: OfferInfo | null };
export const toasts = signal<Toast[]>([]);

/** Carry out a command of the project or an action of the studio; a refusal is shown, and gives undefined. */
export async function act<T = unknown>(command: string, args: Record<string, unknown> = {}): Promise<T | undefined> {
  try {
    return await ask<T>({ type: "do", command, arguments: args });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell("error", error.message);
    return undefined;
  }
}

let toastCount = 0;

export function tell(level: Toast["level"], text: string, offer: OfferInfo | null = null): void {
  if (toasts.value.some((toast) => toast.text === text)) return;
  const toast = { id: ++toastCount, level, text, offer };
  const crowded = toasts.value.length > 3 ? toasts.value.find((other) => !other.offer) : undefined;
  toasts.value = [...toasts.value.filter((other) => other !== crowded), toast];
  // What can be done about it must not vanish while somebody reads.
  if (!offer) setTimeout(() => dismiss(toast.id), level === "info" ? 4000 : 9000);
}

/** What went wrong in a scene that was left is nobody's concern any more. */
function forgetErrors(): void {
  toasts.value = toasts.value.filter(({ level, offer }) => level !== "error" || offer);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Ghosts of the simulation would stand in the way of a motion that is edited. */
const edited = computed(() => edit.value?.open ?? false);

function wishes(): Wishes {
  const on = layers.value;
  return {
    type: "wishes",
    contacts: on.contacts || on.center,
    effort: true,
    flagged: on.flagged,
    ahead: (on.ahead || peek.value) && !edited.value && !adaptive.value,
    horizon: horizon.value,
    before: on.before && !edited.value ? beforeCount.value : 0,
    spacing: beforeSpacing.value,
    cost: adaptive.value && costShown.value,
  };
}

let assembler = new Assembler([]);

function heard(message: FromStudio): void {
  switch (message.type) {
    case "welcome":
      welcome.value = message;
      send(wishes());
      break;
    case "scene":
      newest.frame = null;
      assembler = new Assembler(message.bodies.map(({ parent }) => parent));
      // A scene whose mass or limits were edited is sent anew: what was selected is still there.
      if (scene.value?.bodies[selected.value]?.name !== message.bodies[selected.value]?.name) selected.value = -1;
      if (scene.value && scene.value.name !== message.name) forgetErrors();
      scene.value = message;
      break;
    case "document":
      doc.value = message;
      break;
    case "status":
      status.value = message;
      break;
    case "edit":
      edit.value = message;
      break;
    case "log":
      log.value = message.reset ? message.lines : [...log.value, ...message.lines].slice(-2000);
      break;
    case "notice":
      tell(message.level, message.text, message.offer);
      break;
    case "refusal":
      if (message.id === null) tell("error", message.error);
      break;
    case "answer":
      break;
  }
}

export function start(): void {
  connect({
    message: heard,
    frame: (told) => {
      if (told.epoch !== scene.value?.epoch) return;
      const frame = assembler.take(told);
      newest.frame = frame;
      for (const listener of onFrame) listener(frame);
    },
    ghosts: (ghosts) => {
      if (ghosts.epoch !== scene.value?.epoch) return;
      for (const listener of onGhosts) listener(ghosts);
    },
  });
  effect(() => {
    const wanted = wishes();
    if (link.value === "open") send(wanted);
  });
}

export function kept<T>(name: string, initial: T): Signal<T> {
  const key = `stringless.${name}`;
  let first = initial;
  try {
    const found = localStorage.getItem(key);
    if (found !== null) {
      const value: unknown = JSON.parse(found);
      first = (isRecord(initial) && isRecord(value) ? { ...initial, ...value } : value) as T;
    }
  } catch {
    // A browser that keeps nothing, or something unreadable: begin anew.
  }
  const store = signal(first);
  store.subscribe((value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // It is only a preference.
    }
  });
  return store;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
