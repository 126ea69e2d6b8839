import { describe, expect, it } from "vitest";
import { findLimits, makeClips, snapTime, toMoment, toX } from "./bar";

describe("the timeline of an edit", () => {
  it("keeps room at its ends", () => {
    expect(toX(0, 2, 1000)).toBe(18);
    expect(toX(2, 2, 1000)).toBe(982);
    expect(toMoment(toX(0.7, 2, 1000), 2, 1000)).toBeCloseTo(0.7);
    expect(toMoment(-50, 2, 1000)).toBe(0);
    expect(toX(0, 0, 1000)).toBe(18);
  });

  it("is held from a grip to a release", () => {
    const clips = makeClips([{ kind: "grip", time: 0.5, missed: false }, { kind: "bounce", time: 0.7, missed: false }, { kind: "release", time: 1, missed: false }], 2);
    expect(clips.map(({ held }) => held)).toEqual([false, true, true, false]);
    expect(clips.at(-1)).toEqual({ from: 1, to: 2, held: false, missed: false });
    expect(makeClips([], 2)).toEqual([{ from: 0, to: 2, held: false, missed: false }]);
    expect(makeClips([{ kind: "release", time: 1, missed: false }], 2, true).map(({ held }) => held)).toEqual([true, false]);
    const missing = makeClips([{ kind: "grip", time: 1, missed: true }], 2);
    expect(missing.map(({ missed }) => missed)).toEqual([false, true]);
  });

  it("lets nothing be dragged over its neighbours", () => {
    expect(findLimits([0.5, 1, 1.5], 1, 2)).toEqual([0.51, 1.49]);
    expect(findLimits([0.5], 0, 2)).toEqual([0.01, 1.99]);
  });

  it("draws a mark to what is near", () => {
    expect(snapTime(0.5012, [0.5], 0.01)).toBe(0.5);
    expect(snapTime(0.5312, [0.5], 0.01)).toBe(0.531);
  });
});
