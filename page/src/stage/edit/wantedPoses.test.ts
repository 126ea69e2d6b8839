import { expect, it } from "vitest";
import type { NailInfo } from "../../wire/messages";
import type { Motion } from "../../store/edit/motion";
import { findWantedPoses } from "./wantedPoses";

const motion: Motion = {
  epoch: 1,
  bodies: 1,
  duration: 1,
  times: Float32Array.of(0, 1),
  poses: Float32Array.of(0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 1),
  before: null,
  centers: new Float32Array(6),
};
const nail = (kind: string, ...target: number[]) => ({ kind, target }) as NailInfo;

it("shows the poses that nails want, and the one that is dragged along the timeline", () => {
  const nails = [nail("point", 1, 2, 3), nail("pose", 5, 0, 0, 0, 0, 0, 1)];
  expect(findWantedPoses({ nails }, motion, null).map((poses) => poses[0])).toEqual([5]);
  expect(findWantedPoses({ nails }, motion, 0.5).map((poses) => poses[0])).toEqual([5, 1]);
  expect(findWantedPoses({ nails: [] }, motion, null)).toEqual([]);
});
