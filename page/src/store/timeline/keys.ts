/** Keyframes on the timeline: where they stand, which is next, and what dragging one means. */

import type { TrackInfo } from "../../wire/messages";

export interface KeyPlace {
  track: number;
  /** Index within its track. */
  key: number;
  /** In the time of the take [s]. */
  time: number;
}

/** Keys closer than this are one moment [s]. */
export const SAME = 1e-4;

/** When a key is reached: a track that plays may have been started at another time than its keys say. */
export function takeTime(track: TrackInfo, time: number): number {
  return track.playing ? track.started + (time - track.begin) / track.rate : time;
}

/** The other way round: what a moment of the take is in the time of the track. */
export function trackTime(track: TrackInfo, time: number): number {
  return track.playing ? track.begin + (time - track.started) * track.rate : time;
}

/** All keys, in the order of time. */
export function listKeys(tracks: TrackInfo[]): KeyPlace[] {
  return tracks
    .flatMap((track) => track.times.map((time, key) => ({ track: track.id, key, time: takeTime(track, time) })))
    .sort((a, b) => a.time - b.time);
}

/** The next key after a time (direction 1) or before it (-1). */
export function findNeighbour(tracks: TrackInfo[], time: number, direction: 1 | -1): KeyPlace | undefined {
  const keys = listKeys(tracks);
  return direction > 0
    ? keys.find((key) => key.time > time + SAME)
    : keys.findLast((key) => key.time < time - SAME);
}

export interface Edit {
  command: "move_key" | "copy_key";
  arguments: { track: number; key: number; time: number };
}

/** What letting go of a dragged key does; null if nothing would change. */
export function dropKey(tracks: TrackInfo[], held: KeyPlace, time: number, copy: boolean): Edit | null {
  const track = tracks.find((one) => one.id === held.track);
  if (!track || Math.abs(time - held.time) < SAME) return null;
  return {
    command: copy ? "copy_key" : "move_key",
    arguments: { track: held.track, key: held.key, time: trackTime(track, Math.max(0, time)) },
  };
}

/** A time drawn to what is near: the playhead, other keys, whole frames. */
export function snapKey(time: number, near: number[], reach: number, frame: number): number {
  let best = Math.round(time / frame) * frame;
  let gap = reach;
  for (const other of near) {
    if (Math.abs(other - time) < gap) {
      gap = Math.abs(other - time);
      best = other;
    }
  }
  return Number(best.toFixed(6));
}

/** From when a track is to be played: from the playhead, from its first key if the playhead is past its last one. */
export function findPlayStart(track: TrackInfo, playhead: number): number {
  const first = track.times[0] ?? 0;
  const last = track.times.at(-1) ?? 0;
  return playhead >= last - SAME ? first : playhead;
}
