/** Where there is room on the stage beside the character: what stands there hides nothing. */

import { viewport } from "../../store/viewport";

/** From the leftmost to the rightmost of some places, and of all joints of what is shown [px]. */
export function findSpan(...places: number[]): [number, number] {
  const shown = viewport();
  const poses = shown?.moment?.poses ?? [];
  let [low, high] = [Math.min(...places), Math.max(...places)];
  for (let k = 0; shown && k + 6 < poses.length; k += 7) {
    const at = shown.project(poses[k] as number, poses[k + 1] as number, poses[k + 2] as number).x;
    [low, high] = [Math.min(low, at), Math.max(high, at)];
  }
  return [low, high];
}

/** Whether there is more room at the right of it than at the left [px]. */
export const hasMoreRoomRight = ([low, high]: [number, number], left: number, right: number): boolean => right - high > low - left;

/** A joint that is nearer than this to something may be hidden by it: bodies are thicker [px]. */
const NEAR = 24;

/** Where something so wide stands: at the right, unless it would hide the character there and there is more room at the left. */
export function placeBeside(shown: [number, number], left: number, right: number, width: number): number {
  const at = Math.max(left, right - width);
  return shown[1] > at - NEAR && !hasMoreRoomRight(shown, left, right) ? left : at;
}
