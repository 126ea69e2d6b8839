/** Numbers that change sixty times a second are shown eight times a second: more nobody can read. */

import { signal } from "@preact/signals";
import { newest, onFrame } from "../../../store";
import type { Frame } from "../../../wire/frames";
import { GOAL } from "../../../wire/messages";

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

/** How it stands with each goal, by its number. */
export function goalStates(frame: Frame | null): Map<number, GoalState> {
  const states = new Map<number, GoalState>();
  for (let k = 0; frame && k < frame.goals.length; k += GOAL) {
    const [error, x, y, z] = frame.goals.subarray(k + 7, k + GOAL) as unknown as [number, number, number, number];
    states.set(frame.goals[k] as number, { error, force: Math.hypot(x, y, z) });
  }
  return states;
}

export interface GoalState {
  /** How far it is from being met. */
  error: number;
  /** Of its spring [N]. */
  force: number;
}
