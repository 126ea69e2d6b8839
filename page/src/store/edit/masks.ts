/** What may change: which attributes each body's joint has at the start, and which of them are locked. */

import type { BodyInfo } from "../../wire/messages";

export type Locked = readonly (readonly [string, string])[];

/** Attributes that a joint has, by what its coordinates do. */
export function listAttributes({ turns }: Pick<BodyInfo, "turns">): string[] {
  const slides = turns.includes(false) ? ["position", "velocity"] : [];
  return turns.includes(true) ? [...slides, "rotation", "angular velocity"] : slides;
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
export function listCells(bodies: readonly Pick<BodyInfo, "name" | "turns">[]): [string, string][] {
  return bodies.flatMap((body) => listAttributes(body).map((attribute): [string, string] => [attribute, body.name]));
}
