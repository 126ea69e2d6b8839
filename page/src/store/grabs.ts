/** What the hands of this page hold just now. */

import { signal } from "@preact/signals";
import type { Quaternion } from "../wire/messages";
import type { Vec } from "../geometry/vectors";

export interface Grab {
  /** Of the wire: no two hands have the same. */
  pointer: number;
  kind: "drag" | "center" | "turn";
  body: number;
  /** Along the axes of the bone. */
  point: Vec;
  target: Vec;
  orientation: Quaternion | null;
  /** Of the goal; -1 until the studio has said. */
  goal: number;
}

/** The bone that a hand would take, and the point of it along its axes. */
export interface Aim {
  body: number;
  point: Vec;
}

export const grabs = new Map<number, Grab>();
/** Whether any hand holds something; a signal for those who show it. */
export const grabbing = signal(false);
export const hover: { aim: Aim | null } = { aim: null };

export function noteGrabs(): void {
  grabbing.value = grabs.size > 0;
}
