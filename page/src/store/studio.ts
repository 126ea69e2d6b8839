/** What the studio says: read only here, and changed by asking it. */

import { computed, effect, signal } from "@preact/signals";
import type { Document, Edit, FromStudio, Scene, Status, Welcome, Wishes } from "../wire/messages";
import { Assembler } from "../wire/assembler";
import type { Frame, Ghosts } from "../wire/frames";
import { ask, connect, link, Refused, send } from "../wire/connection";
import { costShown, peek, selected } from "./page";
import { beforeCount, beforeSpacing, horizon, layers } from "./preferences";
import { dismissErrors, showToast } from "./toasts";

export const welcome = signal<Welcome | null>(null);
export const scene = signal<Scene | null>(null);
export const doc = signal<Document | null>(null);
export const status = signal<Status | null>(null);
/** The motion that is open in the editor, and what is wanted of it. */
export const edit = signal<Edit | null>(null);
export const log = signal<string[]>([]);

export const directing = computed(() => status.value !== null && status.value.director === welcome.value?.page);
export const live = computed(() => status.value?.mode === "live");

/** Whether the engine of this scene can do something; a document that is still to come is expected to. */
const supports = (feature: string) => computed(() => doc.value?.supports?.includes(feature) ?? true);
/** Whether characters can be directed at all. */
export const directable = supports("goals");
const actuated = supports("actuated_goals");
/** Whether a drag pulls from outside, by a spring; else the character goes there by its own actuators. */
export const pulled = computed(() => directable.value && !actuated.value);
export const mutualContact = supports("mutual_contact");
export const fleshy = supports("flesh");
/** Whether only some joints are simulated, as many as are chosen. */
export const detailed = computed(() => doc.value?.supports?.includes("level_of_detail") ?? false);

/** The newest frame; not a signal: sixty a second go to listeners without a detour. */
export const newest: { frame: Frame | null } = { frame: null };
export const onFrame = new Set<(frame: Frame) => void>();
export const onGhosts = new Set<(ghosts: Ghosts) => void>();

/** Number of a body by its name; -1 if there is none. */
export const findBody = (name: string): number => scene.value?.bodies.findIndex((body) => body.name === name) ?? -1;

export type Outcome<T> = { ok: true; result: T } | { ok: false; error: string };

/** Carry out a command of the project or an action of the studio; a refusal comes back, for a dialog that shows it in its place. */
export async function attempt<T = unknown>(command: string, args: Record<string, unknown> = {}): Promise<Outcome<T>> {
  try {
    return { ok: true, result: await ask<T>({ type: "do", command, arguments: args }) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, error: error.message };
  }
}

/** The same; a refusal is shown, and gives undefined. */
export async function act<T = unknown>(command: string, args: Record<string, unknown> = {}): Promise<T | undefined> {
  const outcome = await attempt<T>(command, args);
  if (outcome.ok) return outcome.result;
  showToast("error", outcome.error);
  return undefined;
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
    ahead: (on.ahead || peek.value) && !edited.value && directable.value,
    horizon: horizon.value,
    before: on.before && !edited.value ? beforeCount.value : 0,
    spacing: beforeSpacing.value,
    cost: detailed.value && costShown.value,
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
      if (scene.value && scene.value.name !== message.name) dismissErrors();
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
      showToast(message.level, message.text, message.offer);
      break;
    case "refusal":
      if (message.id === null) showToast("error", message.error);
      break;
    case "answer":
      break;
  }
}

export function connectStudio(): void {
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
