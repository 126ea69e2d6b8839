/** What the hands tell the studio. */

import { ask, newSequence, Refused, send } from "../wire/connection";
import { showToast } from ".";
import { grabs, noteGrabs, type Grab } from "./grabs";

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
