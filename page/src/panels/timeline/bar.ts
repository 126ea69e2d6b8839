/** The timeline of an edit: where moments lie on it, and what a drag along it means. */

import type { TransitionInfo } from "../../wire/messages";

/** Room at both ends, so that marks there can be taken [px]. */
export const MARGIN = 18;

export const toX = (time: number, duration: number, width: number): number =>
  MARGIN + (duration > 0 ? time / duration : 0) * Math.max(1, width - 2 * MARGIN);

export const toMoment = (x: number, duration: number, width: number): number =>
  Math.min(duration, Math.max(0, ((x - MARGIN) / Math.max(1, width - 2 * MARGIN)) * duration));

/** A stretch of the motion between two transitions. */
interface Clip {
  from: number;
  to: number;
  /** Whether it is held there. */
  held: boolean;
  /** Whether it would be held there, but misses what it should hold on to. */
  missed: boolean;
}

export function makeClips(transitions: readonly Pick<TransitionInfo, "kind" | "time" | "missed">[], duration: number, heldAtFirst = false): Clip[] {
  const clips: Clip[] = [];
  let [from, held, missed] = [0, heldAtFirst, false];
  for (const transition of transitions) {
    const at = Math.min(duration, Math.max(from, transition.time));
    clips.push({ from, to: at, held, missed });
    from = at;
    if (transition.kind === "bounce") continue;
    held = transition.kind === "grip";
    missed = held && transition.missed;
  }
  clips.push({ from, to: duration, held, missed });
  return clips;
}

/** Between which times something may be dragged: not over its neighbours, nor out of the motion. */
export function findLimits(times: readonly number[], index: number, duration: number, gap = 0.01): [number, number] {
  const low = index > 0 ? (times[index - 1] as number) + gap : gap;
  const high = index + 1 < times.length ? (times[index + 1] as number) - gap : duration - gap;
  return [Math.min(low, high), Math.max(low, high)];
}

/** Drawn to what is near: other marks; else as it is, on whole milliseconds. */
export function snapTime(time: number, near: readonly number[], reach: number): number {
  let [best, gap] = [Math.round(time * 1000) / 1000, reach];
  for (const other of near) {
    if (Math.abs(other - time) < gap) [best, gap] = [other, Math.abs(other - time)];
  }
  return best;
}
