/** What the pointers of this page hold just now, and what the studio is told of it. */

import { signal } from "@preact/signals";
import type { Vec } from "../geometry/vectors";
import { ask, newSequence, Refused, send } from "../wire/connection";
import type { Quaternion } from "../wire/messages";
import { showToast } from "./toasts";

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

function noteGrabs(): void {
  grabbing.value = grabs.size > 0;
}

let count = 0;

/** Numbers of hands are never used twice: a late word about an old hand cannot meet a new one. */
export const newPointer = (): number => ++count;

export async function sendGrab(held: Grab, bone: string, options: Record<string, unknown> = {}): Promise<void> {
  grabs.set(held.pointer, held);
  noteGrabs();
  try {
    const { pointer, kind, point, target, orientation } = held;
    const message = { type: "grab" as const, pointer, kind, bone, point, options };
    const where = kind === "turn" ? { target: null, orientation } : { target, orientation: null };
    held.goal = await ask<number>({ ...message, ...where });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    showToast("error", error.message);
    forgetGrab(held.pointer);
  }
}

export function sendMove(held: Grab): void {
  const { pointer, target, orientation } = held;
  const where = held.kind === "turn" ? { target: null, orientation } : { target, orientation: null };
  send({ type: "move", pointer, sequence: newSequence(), ...where });
}

export function releaseGrab(pointer: number): void {
  if (!forgetGrab(pointer)) return;
  ask({ type: "release", pointer, keep: false }).catch((error: unknown) => {
    // A hand that the studio had already let go needs no word.
    if (!(error instanceof Refused)) throw error;
  });
}

/** Drop a hand without a word, for when the studio has dropped it already. */
export function forgetGrab(pointer: number): boolean {
  const known = grabs.delete(pointer);
  noteGrabs();
  return known;
}
