import { expect, it } from "vitest";
import type { Edit } from "../../wire/messages";
import { isSameMotion, findNeighbour, advanceTime } from "./state";

const told = (epoch: number, ...poses: number[]) => ({ epoch, poses: Uint8Array.from(poses) }) as Edit;

it("begins anew with another motion, and not with a scene that was sent anew", () => {
  expect(isSameMotion(told(1, 1, 2), told(1, 3, 4))).toBe(true);
  expect(isSameMotion(told(1, 1, 2), told(2, 1, 2))).toBe(true);
  expect(isSameMotion(told(1, 1, 2), told(2, 1, 3))).toBe(false);
  expect(isSameMotion(told(1, 1, 2), null)).toBe(false);
  expect(isSameMotion(null, told(1, 1, 2))).toBe(false);
  expect(isSameMotion(null, null)).toBe(true);
});

it("knows what comes next", () => {
  expect(findNeighbour([0, 2, 1], 0.5, 1)).toBe(1);
  expect(findNeighbour([0, 2, 1], 1, -1)).toBe(0);
  expect(findNeighbour([0, 2, 1], 2, 1)).toBeUndefined();
});

it("begins anew at the end if it is looped", () => {
  expect(advanceTime(0.5, 0.1, 1, false)).toBeCloseTo(0.6);
  expect(advanceTime(0.95, 0.1, 1, true)).toBeCloseTo(0.05);
  expect(advanceTime(0.95, 0.1, 1, false)).toBeNull();
  expect(advanceTime(0, 0.1, 0, true)).toBeNull();
});
