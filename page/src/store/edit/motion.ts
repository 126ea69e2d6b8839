/** A whole motion at once, as the studio tells it: any moment of it can be looked at without asking. */

import type { Edit } from "../../wire/messages";
import { toWorld, type Vec } from "../../geometry/vectors";

export interface Motion {
  epoch: number;
  bodies: number;
  duration: number;
  /** Of the samples [s]. */
  times: Float32Array;
  /** Of each body for each sample: position and quaternion, 7 numbers. */
  poses: Float32Array;
  /** The same of the motion before the edit; null if it is no other. */
  before: Float32Array | null;
  /** Centre of gravity at each sample. */
  centers: Float32Array;
}

// Bytes in a message stand anywhere; numbers must begin at a multiple of four, hence the copies.
const floats = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);

/** What a message tells; null if nothing is open, or it tells nothing that could be shown. */
export function readMotion(edit: Edit | null): Motion | null {
  if (!edit?.open || edit.samples.length === 0) return null;
  const { epoch, bodies, duration } = edit;
  const times = floats(edit.samples);
  const poses = floats(edit.poses);
  const before = edit.before.length === edit.poses.length ? floats(edit.before) : null;
  if (poses.length !== 7 * bodies * times.length) return null;
  return { epoch, bodies, duration, times, poses, before, centers: floats(edit.centers) };
}

/** The sample at or before a time, and how far it is to the next, 0 to 1. */
export function findSample(times: ArrayLike<number>, time: number): { k: number; share: number } {
  const last = times.length - 1;
  if (last <= 0 || time <= (times[0] as number)) return { k: 0, share: 0 };
  if (time >= (times[last] as number)) return { k: last, share: 0 };
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle;
    else high = middle;
  }
  const [a, b] = [times[low] as number, times[high] as number];
  return { k: low, share: b > a ? (time - a) / (b - a) : 0 };
}

/** Poses of all bodies at a time, between the samples: places on a line, turns along the shorter way. */
export function interpolatePoses(poses: Float32Array, { times, bodies }: Motion, time: number, out = new Float32Array(7 * bodies)): Float32Array {
  const { k, share } = findSample(times, time);
  const [a, b] = [7 * bodies * k, 7 * bodies * (share > 0 ? k + 1 : k)];
  for (let i = 0; i < 7 * bodies; i += 7) {
    for (let c = 0; c < 3; c++) out[i + c] = (1 - share) * (poses[a + i + c] as number) + share * (poses[b + i + c] as number);
    let dot = 0;
    for (let c = 3; c < 7; c++) dot += (poses[a + i + c] as number) * (poses[b + i + c] as number);
    const sign = dot < 0 ? -1 : 1;
    let square = 0;
    for (let c = 3; c < 7; c++) {
      const value = (1 - share) * (poses[a + i + c] as number) + sign * share * (poses[b + i + c] as number);
      out[i + c] = value;
      square += value * value;
    }
    const length = Math.sqrt(square) || 1;
    for (let c = 3; c < 7; c++) out[i + c] = (out[i + c] as number) / length;
  }
  return out;
}

export function interpolateCenter({ times, centers }: Motion, time: number): Vec {
  const { k, share } = findSample(times, time);
  const next = share > 0 ? k + 1 : k;
  const at = (c: number) => (1 - share) * (centers[3 * k + c] as number) + share * (centers[3 * next + c] as number);
  return [at(0), at(1), at(2)];
}

/** The way of a point of a body, one place for each sample. */
export function tracePath(poses: Float32Array, { times, bodies }: Motion, body: number, point: Vec = [0, 0, 0]): Vec[] {
  return Array.from(times, (_, k) => toWorld(poses.subarray(7 * bodies * k, 7 * bodies * (k + 1)), body, point));
}

export function traceCenter({ times, centers }: Motion): Vec[] {
  return Array.from(times, (_, k): Vec => [centers[3 * k] as number, centers[3 * k + 1] as number, centers[3 * k + 2] as number]);
}

/** Even times of strobes, with both ends. */
export function spreadTimes(count: number, duration: number): number[] {
  if (count < 2) return count === 1 ? [duration / 2] : [];
  return Array.from({ length: count }, (_, k) => (duration * k) / (count - 1));
}
