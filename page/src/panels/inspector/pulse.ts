/** Numbers that change sixty times a second are shown eight times a second: more nobody can read. */

import { signal } from "@preact/signals";
import { newest, onFrame } from "../../store";
import type { Frame } from "../../wire/frames";

const PAUSE = 120;
const count = signal(0);
let last = 0;

onFrame.add(() => {
  const now = performance.now();
  if (now - last < PAUSE) return;
  last = now;
  count.value += 1;
});

/** The newest frame; a component that asks is drawn again a few times a second. */
export function useFrame(): Frame | null {
  void count.value;
  return newest.frame;
}

/** How far each goal is from being met, by its number. */
export function goalErrors(frame: Frame | null): Map<number, number> {
  const errors = new Map<number, number>();
  for (let k = 0; frame && k + 8 <= frame.goals.length; k += 8) errors.set(frame.goals[k] as number, frame.goals[k + 7] as number);
  return errors;
}
