import { describe, expect, it } from "vitest";
import type { TrackInfo } from "../../wire/messages";
import { listKeys, dropKey, findNeighbour, findPlayStart, snapKey, takeTime, trackTime } from "./keys";

function track(id: number, times: number[], playing: Partial<TrackInfo> = {}): TrackInfo {
  return { id, joints: ["a"], times, playing: false, started: 0, begin: 0, rate: 1, ...playing };
}

const PLAYED = track(2, [0, 1], { playing: true, started: 5, begin: 0.5, rate: 2 });

describe("keys in time", () => {
  it("stand where they were set while nothing plays", () => {
    expect(takeTime(track(1, [0.5]), 0.5)).toBe(0.5);
  });

  it("stand where they are reached while their track plays", () => {
    expect(takeTime(PLAYED, 1)).toBe(5.25);
    expect(trackTime(PLAYED, takeTime(PLAYED, 0.7))).toBeCloseTo(0.7, 12);
  });

  it("are walked through in the order of time, over all tracks", () => {
    const tracks = [track(1, [0, 2]), track(7, [1])];
    expect(listKeys(tracks).map((key) => [key.track, key.key])).toEqual([[1, 0], [7, 0], [1, 1]]);
    expect(findNeighbour(tracks, 1, 1)?.time).toBe(2);
    expect(findNeighbour(tracks, 1, -1)?.time).toBe(0);
    expect(findNeighbour(tracks, 2, 1)).toBeUndefined();
    expect(findNeighbour(tracks, 0, -1)).toBeUndefined();
  });
});

describe("dragging", () => {
  const tracks = [track(1, [0, 1]), PLAYED];

  it("moves, and copies with Alt", () => {
    const held = { track: 1, key: 1, time: 1 };
    expect(dropKey(tracks, held, 1.5, false)).toEqual({ command: "move_key", arguments: { track: 1, key: 1, time: 1.5 } });
    expect(dropKey(tracks, held, 1.5, true)?.command).toBe("copy_key");
  });

  it("tells the time of the track, not that of the take", () => {
    expect(dropKey(tracks, { track: 2, key: 1, time: 5.25 }, 5.75, false)?.arguments.time).toBeCloseTo(2, 12);
  });

  it("does nothing when it goes nowhere, or its track has gone", () => {
    expect(dropKey(tracks, { track: 1, key: 1, time: 1 }, 1.00001, false)).toBeNull();
    expect(dropKey(tracks, { track: 9, key: 0, time: 1 }, 2, false)).toBeNull();
  });

  it("does not go before the beginning", () => {
    expect(dropKey(tracks, { track: 1, key: 1, time: 1 }, -3, false)?.arguments.time).toBe(0);
  });

  it("is drawn to what is near, else to whole frames", () => {
    expect(snapKey(1.004, [1, 1.003], 0.01, 1 / 120)).toBe(1.003);
    expect(snapKey(0.5031, [1], 0.01, 1 / 120)).toBeCloseTo(0.5, 6);
  });
});

describe("playing", () => {
  it("begins at the playhead, and anew when it is past the last key", () => {
    const keys = track(1, [0.5, 1, 2]);
    expect(findPlayStart(keys, 1.2)).toBe(1.2);
    expect(findPlayStart(keys, 0)).toBe(0);
    expect(findPlayStart(keys, 2)).toBe(0.5);
    expect(findPlayStart(keys, 9)).toBe(0.5);
  });
});
