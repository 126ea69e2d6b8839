import { expect, it } from "vitest";
import { range } from "./chart";

it("never zooms in on noise", () => {
  expect(range(0, 5e-7, true)).toEqual([0, expect.closeTo(0.01, 4)]);
  const [low, high] = range(0.2, 0.2 + 1e-7, false);
  expect(high - low).toBeCloseTo(0.01, 4);
});

it("leaves a little room around what moves", () => {
  expect(range(0, 10, true)).toEqual([0, 10.8]);
  expect(range(1, 2, false)).toEqual([0.92, 2.08]);
  expect(range(null, null, true)).toEqual([0, 1]);
});
