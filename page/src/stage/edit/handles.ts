/** Where a nail is on the stage: what it holds, where that shall be, and what a hand takes to move it. */

import type { NailInfo } from "../../wire/messages";
import { add, scale, sub, type Vec } from "../../geometry/vectors";

interface Handle {
  /** What there is now: the point, or where its arrow ends. */
  from: Vec;
  /** Where a hand takes it. */
  at: Vec;
  /** Where its arrow begins; null if it has none. */
  root: Vec | null;
  /** Whether it is turned, and not moved. */
  turns: boolean;
}

/** How long the arrow of 1 m/s and of 1 rad/s is, as shares of the size of the character. */
const [FAST, SPUN] = [0.12, 0.07];
const ROUND = new Set(["rotation", "joint", "pose"]);

const arrowScale = (kind: string, size: number): number | null =>
  kind.endsWith("velocity") ? FAST * size : kind === "spin" ? SPUN * size : null;

const vec = (numbers: readonly number[]): Vec => [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];

export function findHandle(nail: NailInfo, size: number): Handle {
  const place = vec(nail.place);
  if (ROUND.has(nail.kind)) return { from: place, at: place, root: null, turns: true };
  const long = arrowScale(nail.kind, size);
  if (long === null) return { from: place, at: vec(nail.target), root: null, turns: false };
  return { from: add(place, scale(vec(nail.now), long)), at: add(place, scale(vec(nail.target), long)), root: place, turns: false };
}

/** What the nail wants if its handle is put there: a place, a velocity or a spin. */
export function findTarget(nail: NailInfo, size: number, at: Vec): Vec {
  const long = arrowScale(nail.kind, size);
  return long === null ? at : scale(sub(at, vec(nail.place)), 1 / long);
}

/** Of several handles in the window the nearest to a place, within reach; those of the moment that is looked at come first. */
export function nearestHandle<T extends { x: number; y: number; here: boolean }>(handles: readonly T[], x: number, y: number, reach: number): T | null {
  let [found, least]: [T | null, number] = [null, Infinity];
  for (const handle of handles) {
    const gap = Math.hypot(handle.x - x, handle.y - y);
    if (gap > reach) continue;
    const rank = gap + (handle.here ? 0 : reach);
    if (rank < least) [found, least] = [handle, rank];
  }
  return found;
}

/** Whether something happens at the moment that is looked at, as far as an eye can tell. */
export const isHere = (time: number, moment: number): boolean => Math.abs(time - moment) < 0.008;
