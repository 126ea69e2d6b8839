import { describe, expect, it } from "vitest";
import type { Edit } from "../../wire/messages";
import { interpolateCenter, tracePath, interpolatePoses, readMotion, findSample, spreadTimes, type Motion } from "./motion";

const bytes = (...numbers: number[]): Uint8Array => {
  // Not at a multiple of four, as bytes in a message may stand.
  const odd = new Uint8Array(4 * numbers.length + 1);
  odd.set(new Uint8Array(Float32Array.from(numbers).buffer), 1);
  return odd.subarray(1);
};
const half = Math.SQRT1_2;
/** A body that goes from the origin to x = 2 within a second and turns by a quarter about z; its last quaternion has the other sign. */
const edit = {
  open: true, epoch: 3, bodies: 1, duration: 1, samples: bytes(0, 0.5, 1), before: new Uint8Array(),
  poses: bytes(0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8), 2, 0, 0, 0, 0, -half, -half),
  centers: bytes(0, 0, 0, 1, 0, 0, 2, 0, 0),
} as unknown as Edit;
const motion = readMotion(edit) as Motion;

describe("a motion", () => {
  it("is read from wherever its bytes stand", () => {
    expect(motion.times).toEqual(Float32Array.from([0, 0.5, 1]));
    expect(motion.before).toBeNull();
    expect(readMotion({ ...edit, open: false })).toBeNull();
    expect(readMotion({ ...edit, bodies: 2 }), "not as many numbers as it says").toBeNull();
    expect(readMotion(null)).toBeNull();
  });

  it("has a sample before every moment", () => {
    expect(findSample([0, 0.5, 1], 0.75)).toEqual({ k: 1, share: 0.5 });
    expect(findSample([0, 0.5, 1], -1)).toEqual({ k: 0, share: 0 });
    expect(findSample([0, 0.5, 1], 2)).toEqual({ k: 2, share: 0 });
    expect(findSample([0, 0.5, 1], 0.5)).toEqual({ k: 1, share: 0 });
    expect(findSample([0.3], 0.5)).toEqual({ k: 0, share: 0 });
  });

  it("goes between samples along the shorter way", () => {
    const poses = interpolatePoses(motion.poses, motion, 0.75);
    expect(poses[0]).toBeCloseTo(1.5);
    expect(Math.hypot(...poses.subarray(3))).toBeCloseTo(1);
    expect(Math.abs(poses[5] as number)).toBeCloseTo(Math.sin((3 * Math.PI) / 16), 3);
    expect([...interpolateCenter(motion, 0.25)]).toEqual([0.5, 0, 0]);
  });

  it("has paths of its points", () => {
    const path = tracePath(motion.poses, motion, 0, [1, 0, 0]);
    expect(path[0]).toEqual([1, 0, 0]);
    expect(path[2]?.[0]).toBeCloseTo(2);
    expect(path[2]?.[1]).toBeCloseTo(1);
  });

  it("is strobed at even times, with both ends", () => {
    expect(spreadTimes(3, 2)).toEqual([0, 1, 2]);
    expect(spreadTimes(1, 2)).toEqual([1]);
    expect(spreadTimes(0, 2)).toEqual([]);
  });
});
