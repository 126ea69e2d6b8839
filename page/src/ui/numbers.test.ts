import { describe, expect, it } from "vitest";
import { keyNames, formatKey } from "./keyname";
import { describeRange, fromSlider, clampNumber, scrubNumber, toSlider, parseNumber, formatNumber } from "./numbers";

describe("numbers", () => {
  it("stay in range and on their grid", () => {
    expect(clampNumber(0.30000000000000004, { step: 0.1 })).toBe(0.3);
    expect(clampNumber(7, { min: 0, max: 5 })).toBe(5);
    expect(clampNumber(-1, { min: 0.05, step: 0.1 })).toBe(0.05);
  });

  it("are written without noise", () => {
    expect(formatNumber(0.1 + 0.2)).toBe("0.3");
    expect(formatNumber(123456)).toBe("123456");
    expect(formatNumber(0.00001234)).toBe("1.23e-5");
    expect(formatNumber(2e9)).toBe("2e9");
    expect(formatNumber(0)).toBe("0");
    expect(formatNumber(Infinity)).toBe("∞");
  });

  it("are read as people type them", () => {
    expect(parseNumber(" 1,5 ")).toBe(1.5);
    expect(parseNumber("−2")).toBe(-2);
    expect(parseNumber("1e3")).toBe(1000);
    for (const bad of ["", "abc", "1..2", "Infinity"]) expect(parseNumber(bad)).toBeNull();
  });

  it("follow a drag, finer with Shift, by factors on a logarithmic scale", () => {
    expect(scrubNumber(1, 10, { min: 0, max: 20 })).toBe(2);
    expect(scrubNumber(1, 10, { min: 0, max: 20 }, true)).toBe(1.1);
    expect(scrubNumber(5, 200, { log: true })).toBe(50);
    expect(scrubNumber(5, 900, { log: true, max: 60 })).toBe(60);
  });

  it("have a place on a slider, and come back from it", () => {
    for (const log of [false, true]) {
      for (const value of [0.1, 0.7, 5]) expect(fromSlider(toSlider(value, 0.1, 5, log), 0.1, 5, log)).toBeCloseTo(value, 9);
    }
    expect(toSlider(99, 0, 5, false)).toBe(1);
  });
});

describe("keys", () => {
  it("are named as they stand on the keyboard", () => {
    expect(keyNames("$mod+Shift+KeyZ")).toEqual(["Ctrl", "Shift", "Z"]);
    expect(keyNames("ArrowLeft")).toEqual(["←"]);
    expect(keyNames("Minus")).toEqual(["−"]);
    expect(keyNames("Digit1")).toEqual(["1"]);
    expect(formatKey({ keys: ["[Shift]+?"], shown: "?" })).toBe("?");
    expect(formatKey({})).toBe("");
  });
});

it("says what may be typed", () => {
  expect(describeRange({ min: 1, max: 1000 }, "kPa")).toBe("1 to 1000 kPa");
  expect(describeRange({ min: 0 }, "s")).toBe("at least 0 s");
  expect(describeRange({ max: 2 })).toBe("at most 2");
  expect(describeRange({}, "m")).toBe("a number");
});
