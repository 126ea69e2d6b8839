/** Stretching recorded commands in time: what is chosen, until the studio is asked to replay it. */

import { effect, signal } from "@preact/signals";
import { act, doc, scene, status } from "..";
import { findRecorded, range } from "./state";

/** A stretch of the record [s]. */
export type Stretch = [start: number, end: number];

/** What can be chosen by hand; a script may go further. */
export const LEAST_FACTOR = 0.1;
export const MOST_FACTOR = 10;

/** How many times as long the stretch will take; null while it is not being stretched. */
export const warpFactor = signal<number | null>(null);
/** The job that replays the commands, and the stretch of its result. */
const replayed = signal<{ job: number; result: Stretch } | null>(null);

/** What is stretched: the range, as far as it is on record, or all of the branch. */
export function findStretch(chosen: Stretch | null, [begin, end]: Stretch): Stretch {
  if (!chosen) return [begin, end];
  const [start, stop] = chosen.map((time) => Math.min(end, Math.max(begin, time))) as Stretch;
  return stop > start ? [start, stop] : [begin, end];
}

/** A factor of at most two decimals that can be chosen. */
export function boundFactor(factor: number): number {
  return Math.round(Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor)) * 100) / 100;
}

/** The factor for which a stretch ends at a time. */
export const factorTo = ([start, end]: Stretch, time: number): number => boundFactor((time - start) / (end - start));

/** When something recorded happens if a stretch takes `factor` times as long; what follows is shifted. */
export function warpTime([start, end]: Stretch, factor: number, time: number): number {
  return time + (factor - 1) * (Math.min(Math.max(time, start), end) - start);
}

/** A name that no branch has yet, and that says what was done to which. */
export function nameWarp(taken: string[], source: string, factor: number): string {
  const name = `${source} ${factor}×`.slice(-60);
  let number = 1;
  while (taken.includes(number > 1 ? `${name} (${number})` : name)) number += 1;
  return number > 1 ? `${name} (${number})` : name;
}

/** Ask for the commands to be replayed; the studio does it in the background, and shows the branch that it becomes. */
export async function applyWarp(): Promise<void> {
  const factor = warpFactor.value;
  const state = status.value;
  if (factor === null || !state) return;
  const stretch = findStretch(range.value, findRecorded());
  const [start, end] = stretch;
  const lanes = doc.value?.lanes ?? [];
  const source = lanes.find((lane) => lane.id === state.lane)?.name ?? "";
  const name = nameWarp(lanes.map((lane) => lane.name), source, factor);
  const job = await act<number>("warp", { start, end, factor, lane: state.lane, name });
  if (job === undefined) return;
  warpFactor.value = null;
  replayed.value = { job, result: [start, warpTime(stretch, factor, end)] };
}

effect(() => {
  // Of another scene, or of a record that grows, it would be another stretch.
  void scene.value?.epoch;
  warpFactor.value = null;
});
effect(() => {
  if (status.value?.mode === "live") warpFactor.value = null;
});
effect(() => {
  // A range goes along with what was stretched: replaying it shows the result.
  const waiting = replayed.value;
  const job = waiting && status.value?.jobs.find((one) => one.id === waiting.job);
  if (!waiting || !job || job.state === "running") return;
  replayed.value = null;
  if (job.state === "finished" && range.peek()) range.value = waiting.result;
});
