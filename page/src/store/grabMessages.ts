/** What the hands tell the studio. */

import { ask, newSequence, Refused, send } from "../wire/connection";
import { tell } from ".";
import { holding, noteHolding, type Held } from "./grabs";

let count = 0;

/** Numbers of hands are never used twice: a late word about an old hand cannot meet a new one. */
export const nextPointer = (): number => ++count;

export async function grab(held: Held, bone: string, options: Record<string, unknown> = {}): Promise<void> {
  holding.set(held.pointer, held);
  noteHolding();
  try {
    const { pointer, kind, point, target, orientation } = held;
    const message = { type: "grab" as const, pointer, kind, bone, point, options };
    const where = kind === "turn" ? { target: null, orientation } : { target, orientation: null };
    held.goal = await ask<number>({ ...message, ...where });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell("error", error.message);
    forget(held.pointer);
  }
}

export function move(held: Held): void {
  const { pointer, target, orientation } = held;
  const where = held.kind === "turn" ? { target: null, orientation } : { target, orientation: null };
  send({ type: "move", pointer, sequence: newSequence(), ...where });
}

export function release(pointer: number): void {
  if (!forget(pointer)) return;
  ask({ type: "release", pointer, keep: false }).catch((error: unknown) => {
    // A hand that the studio had already let go needs no word.
    if (!(error instanceof Refused)) throw error;
  });
}

/** Drop a hand without a word, for when the studio has dropped it already. */
export function forget(pointer: number): boolean {
  const known = holding.delete(pointer);
  noteHolding();
  return known;
}
