import { describe, expect, it } from "vitest";
import { boundFactor, factorTo, findStretch, nameWarp, warpTime } from "./warp";

describe("a stretch of commands", () => {
  it("is the range, or all that is recorded", () => {
    expect(findStretch([1, 2], [0, 5])).toEqual([1, 2]);
    expect(findStretch([1, 9], [0, 5])).toEqual([1, 5]);
    expect(findStretch(null, [0, 5])).toEqual([0, 5]);
    expect(findStretch([6, 7], [0, 5])).toEqual([0, 5]);
  });

  it("ends where its edge is dragged, within bounds", () => {
    expect(factorTo([1, 3], 4)).toBe(1.5);
    expect(factorTo([1, 3], 1.3335)).toBe(0.17);
    expect(factorTo([1, 3], 0)).toBe(0.1);
    expect(boundFactor(99)).toBe(10);
  });

  it("shifts what follows it, and leaves what comes before", () => {
    const stretch: [number, number] = [1, 3];
    expect([0.5, 1, 2, 3, 4].map((time) => warpTime(stretch, 1.5, time))).toEqual([0.5, 1, 2.5, 4, 5]);
    expect([0.5, 1, 2, 3, 4].map((time) => warpTime(stretch, 0.5, time))).toEqual([0.5, 1, 1.5, 2, 3]);
  });

  it("becomes a branch with a name that is not taken", () => {
    expect(nameWarp(["take 1"], "take 1", 1.3)).toBe("take 1 1.3×");
    expect(nameWarp(["take 1", "take 1 1.3×", "take 1 1.3× (2)"], "take 1", 1.3)).toBe("take 1 1.3× (3)");
  });
});
