import { describe, expect, it } from "vitest";
import { CONTACT, DIRECTOR, FLESH, isDefault, LONG_STEP, MATERIAL, fromShown, NEWTON, toShown, SPRINGS, STEP, STOPS, usually } from "./parameters";

const ALL = [...CONTACT, ...FLESH, ...MATERIAL, STEP, LONG_STEP, STOPS, NEWTON, SPRINGS, ...DIRECTOR];
const dt = STEP;
const young = MATERIAL[0]!;

describe("parameters", () => {
  it("are shown in units that a person uses, and meant in those of the simulation", () => {
    expect(toShown(dt, 0.001)).toBe(1);
    expect(fromShown(dt, 0.3)).toBe(0.0003);
    expect(toShown(young, 30_000)).toBe(30);
    expect(fromShown(young, 30)).toBe(30_000);
  });
  it("come back unchanged", () => {
    for (const value of [0.1, 0.7, 1.9, 3.3]) expect(fromShown(dt, toShown(dt, value * 1e-3))).toBe(Number((value * 1e-3).toPrecision(12)));
  });
  it("have a usual value within their range", () => {
    for (const parameter of ALL) {
      if (parameter.usual === null || !Number.isFinite(parameter.usual)) continue;
      expect(toShown(parameter, parameter.usual)).toBeGreaterThanOrEqual(parameter.min);
      expect(toShown(parameter, parameter.usual)).toBeLessThanOrEqual(parameter.max);
    }
  });
  it("go back to the step that a scene is made for", () => {
    expect(usually(LONG_STEP, 1 / 60).usual).toBe(1 / 60);
    expect(usually(STEP, undefined)).toBe(STEP);
  });
  it("never have a range from zero on a scale of factors", () => {
    for (const parameter of ALL) if (parameter.log) expect(parameter.min).toBeGreaterThan(0);
  });
  it("know what is usual in spite of rounding", () => {
    expect(isDefault(0.1 + 0.2, 0.3)).toBe(true);
    expect(isDefault(0.31, 0.3)).toBe(false);
    expect(isDefault(Infinity, Infinity)).toBe(true);
    expect(isDefault(5, null)).toBe(true);
  });
});
