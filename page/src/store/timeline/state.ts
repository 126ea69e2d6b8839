/** What the timeline and its commands share. */

import { computed, effect, signal } from "@preact/signals";
import { directing, doc, newest, onFrame, scene, status } from "..";
import { newSequence, send } from "../../wire/connection";
import type { TrackInfo } from "../../wire/messages";
import type { KeyPlace } from "./keys";
import { findExtent } from "./branches";
import { boundView, fitView, followTime, PAGE, type View } from "./scale";

/** Frames on record per second of simulated time. */
export const FRAME_RATE = 120;

/** The part of time in sight. */
export const view = signal<View>(fitView(0, 0));
/** Whether everything is kept in sight; ends when a person zooms or pans, begins again by fitting. */
export const fitting = signal(true);
/** The part that is replayed; null for all. */
export const range = signal<[number, number] | null>(null);
export const looping = signal(false);
export const chosenKey = signal<KeyPlace | null>(null);
/** The marker whose name is being written. */
export const namedMarker = signal<string | null>(null);

/** The time looked at now: that of the newest frame, between the messages that tell the rest. */
export function shownTime(): number {
  return newest.frame?.time ?? status.value?.time ?? 0;
}

/** Moments of the lane that is looked at, up to now. */
export function findRecorded(): [number, number] {
  const state = status.value;
  if (!state) return [0, 0];
  return [state.begin, Math.max(state.end, state.mode === "live" ? shownTime() : state.end)];
}

export const tracks = computed<TrackInfo[]>(() => doc.value?.tracks ?? []);

// --- scrubbing: at most one seek for each picture on the screen ---

let wanted: { time: number; lane: number | null } | null = null;
let waiting = false;

/** Look at a moment. The first seek leaves at once, so that what is done next is done there; those of a drag take turns. */
export function seek(time: number, lane: number | null = null): void {
  // Everybody looks at the same moment: only the page that directs chooses it.
  if (!directing.value) return;
  wanted = { time, lane };
  if (waiting) return;
  sendSeek();
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    sendSeek();
  });
}

/** Send the seek that waits for its turn, if one does. */
export function sendSeek(): void {
  if (wanted) send({ type: "seek", sequence: newSequence(), ...wanted });
  wanted = null;
}

// --- the view follows ---

export function fitTimeline(): void {
  fitting.value = true;
  const [begin, end] = findExtent(doc.value?.lanes ?? []);
  view.value = fitView(begin, Math.max(end, findRecorded()[1]));
}

/** Look at another part of time, by hand. */
export function showTimes(next: View): void {
  fitting.value = false;
  const [begin, end] = findExtent(doc.value?.lanes ?? []);
  view.value = boundView(next, begin, Math.max(end, findRecorded()[1]));
}

let before = 0;

/** Keep a moment in sight while time passes; a person who looks elsewhere meanwhile is left alone. */
function followPlayhead(time: number): void {
  const seen = view.peek();
  const watched = before >= seen.from && before <= seen.to;
  before = time;
  if (!fitting.peek()) {
    if (watched) view.value = followTime(seen, time);
    return;
  }
  if (time <= seen.to - (seen.to - seen.from) * 0.02 && time >= seen.from) return;
  const [begin, end] = findExtent(doc.peek()?.lanes ?? []);
  const last = Math.max(end, time);
  // Room for a while, so that the scale does not creep.
  view.value = last - begin <= PAGE ? fitView(begin, begin + (last - begin) * 1.4) : followTime(seen, time);
}

export function startTimeline(): void {
  onFrame.add((frame) => {
    if (frame.live || status.peek()?.mode === "replay") followPlayhead(frame.time);
  });
  effect(() => {
    // Another scene: begin anew.
    void scene.value?.epoch;
    range.value = null;
    chosenKey.value = null;
    fitting.value = true;
    view.value = fitView(0, 0);
  });
  effect(() => {
    const [begin, end] = findExtent(doc.value?.lanes ?? []);
    const seen = view.peek();
    if (fitting.peek() && end > begin && (end > seen.to || begin < seen.from)) view.value = fitView(begin, end);
  });
  effect(() => {
    // A key that was chosen may be gone, or have moved.
    const chosen = chosenKey.peek();
    const track = tracks.value.find((one) => one.id === chosen?.track);
    if (chosen && (!track || chosen.key >= track.times.length)) chosenKey.value = null;
  });
}
