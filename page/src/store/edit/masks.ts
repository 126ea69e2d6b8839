/** What may change: which attributes each body's joint has at the start, and which of them are locked. */

import type { BodyInfo } from "../../wire/messages";

export type Locked = readonly (readonly [string, string])[];

/** Attributes that a joint has, by its kind. */
export function listAttributes(body: Pick<BodyInfo, "kind" | "nv">): string[] {
  if (body.nv === 0) return [];
  if (body.kind === "free" || body.kind === "planar") return ["position", "velocity", "rotation", "angular velocity"];
  if (body.kind === "prismatic" || body.kind === "translational") return ["position", "velocity"];
  return ["rotation", "angular velocity"];
}

export function isLocked(locked: Locked, attribute: string, body: string): boolean {
  return locked.some(([name, of]) => name === attribute && (of === body || of === ""));
}

export type Share = "all" | "some" | "none";

/** Of several places of the table, how many may change. */
export function shareFree(locked: Locked, cells: readonly (readonly [string, string])[]): Share {
  const free = cells.filter(([attribute, body]) => !isLocked(locked, attribute, body)).length;
  return free === 0 ? "none" : free === cells.length ? "all" : "some";
}

/** Whether a click on a row or a column locks it: it does unless all of it is locked already. */
export const willLock = (share: Share): boolean => share !== "none";

/** All places of the table: attribute and body. */
export function listCells(bodies: readonly Pick<BodyInfo, "name" | "kind" | "nv">[]): [string, string][] {
  return bodies.flatMap((body) => listAttributes(body).map((attribute): [string, string] => [attribute, body.name]));
}
