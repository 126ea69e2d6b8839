import { Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Quaternion as Numbers } from "../wire/messages";
import { hingeAxis, twisted } from "./hinge";
import type { Motion } from "./motion";

const about = (axis: [number, number, number], angle: number) => new Quaternion().setFromAxisAngle(new Vector3(...axis), angle);

/** A parent that tumbles, and a child on a hinge about the parent's z axis, set at a slant. */
function swinging(angles: number[]): Motion {
  const poses = new Float32Array(14 * angles.length);
  angles.forEach((angle, k) => {
    const parent = about([0.6, 0.8, 0], 0.7 * k);
    const child = parent.clone().multiply(about([0, 0, 1], angle)).multiply(about([1, 0, 0], 0.3));
    poses.set(parent.toArray(), 14 * k + 3);
    poses.set(child.toArray(), 14 * k + 10);
  });
  return { epoch: 0, bodies: 2, duration: 1, times: Float32Array.from(angles, (_, k) => k), poses, before: null, centers: new Float32Array() };
}

describe("a hinge", () => {
  it("shows its axis in the motion", () => {
    const axis = hingeAxis(swinging([0, 0.2, 0.5]), 0, 1) as number[];
    expect(Math.abs(axis[2] as number)).toBeCloseTo(1, 4);
  });

  it("that does not turn shows none", () => {
    expect(hingeAxis(swinging([0.4, 0.4, 0.4]), 0, 1)).toBeNull();
  });

  it("takes of a wish what is about its axis", () => {
    const start = about([1, 0, 0], 0.4).toArray() as Numbers;
    const wanted = about([0, 0, 1], 0.5).multiply(about([0, 1, 0], 0.05)).multiply(about([1, 0, 0], 0.4)).toArray() as Numbers;
    const turn = new Quaternion(...twisted(start, wanted, [0, 0, 1])).multiply(new Quaternion(...start).invert());
    expect(Math.hypot(turn.x, turn.y)).toBeCloseTo(0);
    expect(2 * Math.atan2(turn.z, turn.w)).toBeCloseTo(0.5, 2);
  });
});
