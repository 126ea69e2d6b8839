import { describe, expect, it } from "vitest";
import { findDuration, frameTimes, LONGEST } from "./times";

describe("frameTimes", () => {
  it("begins at the start and ends at the end", () => {
    const times = frameTimes({ start: 1, end: 2, fps: 30, speed: 1 });
    expect(times).toHaveLength(31);
    expect(times[0]).toBe(1);
    expect(times[30]).toBeCloseTo(2, 12);
  });
  it("never looks behind the end", () => {
    for (const fps of [24, 25, 30, 50, 60]) {
      const times = frameTimes({ start: 0.1, end: 0.7, fps, speed: 0.3 });
      expect(Math.max(...times)).toBeLessThanOrEqual(0.7);
      expect(0.7 - Math.max(...times)).toBeLessThan(0.3 / fps);
    }
  });
  it("has more frames in slow motion", () => {
    expect(frameTimes({ start: 0, end: 1, fps: 30, speed: 0.25 })).toHaveLength(121);
    expect(findDuration({ start: 0, end: 1, fps: 30, speed: 0.25 })).toBeCloseTo(121 / 30, 12);
  });
  it("shows one frame of a moment, and none of nonsense", () => {
    expect(frameTimes({ start: 3, end: 3, fps: 30, speed: 1 })).toEqual([3]);
    expect(frameTimes({ start: 2, end: 1, fps: 30, speed: 1 })).toEqual([]);
    expect(frameTimes({ start: 0, end: 1, fps: 0, speed: 1 })).toEqual([]);
    expect(frameTimes({ start: 0, end: Number.NaN, fps: 30, speed: 1 })).toEqual([]);
  });
  it("stops where memory would", () => {
    expect(frameTimes({ start: 0, end: 1e6, fps: 60, speed: 1 })).toHaveLength(LONGEST);
  });
});
