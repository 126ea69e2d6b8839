import { expect, it } from "vitest";
import type { Edit } from "../wire/messages";
import { isSameMotion } from "./state";

const told = (epoch: number, ...poses: number[]) => ({ epoch, poses: Uint8Array.from(poses) }) as Edit;

it("begins anew with another motion, and not with a scene that was sent anew", () => {
  expect(isSameMotion(told(1, 1, 2), told(1, 3, 4))).toBe(true);
  expect(isSameMotion(told(1, 1, 2), told(2, 1, 2))).toBe(true);
  expect(isSameMotion(told(1, 1, 2), told(2, 1, 3))).toBe(false);
  expect(isSameMotion(told(1, 1, 2), null)).toBe(false);
  expect(isSameMotion(null, told(1, 1, 2))).toBe(false);
  expect(isSameMotion(null, null)).toBe(true);
});
