import { describe, expect, it } from "vitest";
import type { DetailInfo } from "../../../wire/messages";
import { chooseActive, findCriterion, formatCount, formatDuration, errorRange, formatGain, firstError, formatJoints, readNumber } from "./detail";

const detail: DetailInfo = { moving: 3, joints: 88, most: 88, characters: 1, error: -1, step: 20, whole: 90, follows: false, near: -1, far: -1, hidden: 0, asleep: 0 };

describe("what joints are chosen by", () => {
  it("is read off the parameters", () => {
    expect(findCriterion({ active: null, max_error: null })).toBe("all");
    expect(findCriterion({ active: 5, max_error: null })).toBe("number");
    expect(findCriterion({ active: 5, max_error: 0.1 })).toBe("error");
    expect(findCriterion({ active: { root: 3 }, max_error: null })).toBe("number");
  });

  it("is changed to one thing alone, with what was used last", () => {
    const none = { active: null, error: null };
    expect(chooseActive("all", 88, { active: 4, error: 2 })).toEqual({ active: null, max_error: null });
    expect(chooseActive("number", 88, none)).toEqual({ active: 9, max_error: null });
    expect(chooseActive("number", 3, none)).toEqual({ active: 1, max_error: null });
    expect(chooseActive("number", 10, { active: 40, error: null })).toEqual({ active: 10, max_error: null });
    expect(chooseActive("error", 88, { active: 4, error: 0.5 })).toEqual({ active: null, max_error: 0.5 });
  });

  it("begins with an error that suits the lightest character, and reaches three decades from it", () => {
    const bodies = [{ parent: -1, mass: 2 }, { parent: 0, mass: 3 }, { parent: -1, mass: 0.5 }, { parent: 2, mass: 0.1 }];
    expect(firstError(bodies)).toBeCloseTo(6e-3, 6);
    expect(firstError([])).toBe(1e-2);
    expect(firstError([], true)).toBe(1e-4);
    expect(chooseActive("error", 88, { active: 4, error: null }, 6e-3)).toEqual({ active: null, max_error: 6e-3 });
    expect(errorRange(1e-2, 0.5)).toEqual({ min: 1e-5, max: 10 });
    expect(errorRange(1e-2, 50)).toEqual({ min: 1e-5, max: 50 });
  });

  it("has no single number if characters have their own", () => {
    expect(readNumber({ root: 3 })).toBeNull();
    expect(readNumber(null)).toBeNull();
    expect(readNumber(7)).toBe(7);
  });
});

describe("what it costs", () => {
  it("is written in the unit that suits it", () => {
    expect([formatDuration(-1), formatDuration(1.234), formatDuration(345.67), formatDuration(3159)]).toEqual(["…", "1.23 µs", "346 µs", "3.16 ms"]);
    expect(formatCount(17600)).toBe("17,600");
    expect([formatJoints(1), formatJoints(1200)]).toEqual(["1 joint", "1,200 joints"]);
  });

  it("is compared with all joints, and never made better than it is", () => {
    expect(formatGain(detail)).toBe("4.5× faster than all of them");
    expect(formatGain({ ...detail, whole: 900 })).toBe("45× faster than all of them");
    expect(formatGain({ ...detail, whole: 15 })).toBe("no faster than all of them");
    expect(formatGain({ ...detail, whole: -1 })).toBe("");
    expect(formatGain({ ...detail, moving: 88 })).toBe("");
    expect(formatGain({ ...detail, whole: 15 }, false)).toBe("");
  });
});
