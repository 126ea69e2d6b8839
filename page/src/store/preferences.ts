/** How this person likes the page: kept in the browser. */

import { signal, type Signal } from "@preact/signals";

export type Theme = "dark" | "light" | "auto";
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

export const theme = persistentSignal<Theme>("theme", "auto");
export const layers = persistentSignal<Record<Layer, boolean>>("layers", {
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
export const horizon = persistentSignal("horizon", 1.0);
export const beforeCount = persistentSignal("beforeCount", 4);
export const beforeSpacing = persistentSignal("beforeSpacing", 0.1);
export const follow = persistentSignal("follow", false);
export const inspectorOpen = persistentSignal("inspectorOpen", true);
export const inspectorTab = persistentSignal("inspectorTab", "goals");
export const timelineOpen = persistentSignal("timelineOpen", true);
export const timelineHeight = persistentSignal("timelineHeight", 156);
export const tourSeen = persistentSignal("tourSeen", false);

export function persistentSignal<T>(name: string, initial: T): Signal<T> {
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
