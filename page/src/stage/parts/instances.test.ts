import { Matrix4, Quaternion, Vector3 } from "three";
import { expect, it } from "vitest";
import { writeMatrix } from "./instances";

it("a matrix is that of the position and quaternion at its place, and of the size", () => {
  const turn = new Quaternion(0.3, -0.5, 0.2, 0.7).normalize();
  const place = new Vector3(1.5, -2, 0.25);
  const poses = Float32Array.from([9, 9, 9, 9, ...place.toArray(), ...turn.toArray()]);
  const out = new Float32Array(20).fill(7);
  writeMatrix(out, 4, poses, 4, 1.5);
  const expected = new Matrix4().compose(place, turn, new Vector3(1.5, 1.5, 1.5)).toArray();
  expect(Array.from(out.subarray(0, 4))).toEqual([7, 7, 7, 7]);
  expected.forEach((value, k) => expect(out[4 + k]).toBeCloseTo(value, 6));
});
