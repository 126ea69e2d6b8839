import { expect, it } from "vitest";
import { Quaternion, Vector3 } from "three";
import { Assembler } from "./assembler";
import type { Frame } from "./frames";

/** A frame that tells these bodies by their parents. */
function telling(told: Record<number, number[]>): Frame {
  const bodies = Object.keys(told).map(Number);
  return { poses: new Float32Array(), placed: Uint32Array.from(bodies), places: Float32Array.from(bodies.flatMap((body) => told[body] as number[])) } as Frame;
}

const tilted = new Quaternion().setFromAxisAngle(new Vector3(1, 2, 2).normalize(), 0.9);
const turned = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), 0.4);
const pose = (p: Vector3, q: Quaternion) => [p.x, p.y, p.z, q.x, q.y, q.z, q.w];

it("puts a body into its parent, as three would", () => {
  const all = new Assembler([-1, 0, 1, -1]);
  const [root, arm, hand] = [new Vector3(1, 2, 3), new Vector3(0.5, 0, 0.2), new Vector3(0, -0.3, 0)];
  const { poses } = all.take(telling({ 0: pose(root, tilted), 1: pose(arm, turned), 2: pose(hand, tilted), 3: pose(hand, turned) }));
  const q1 = tilted.clone().multiply(turned);
  const p1 = arm.clone().applyQuaternion(tilted).add(root);
  const p2 = hand.clone().applyQuaternion(q1).add(p1);
  const expected = [pose(root, tilted), pose(p1, q1), pose(p2, q1.clone().multiply(tilted)), pose(hand, turned)].flat();
  expected.forEach((value, k) => expect(poses[k]).toBeCloseTo(value, 6));
});

it("moves on what hangs on a joint that has moved, and nothing else", () => {
  const all = new Assembler([-1, 0, -1]);
  const still = new Quaternion();
  all.take(telling({ 0: pose(new Vector3(), still), 1: pose(new Vector3(1, 0, 0), still), 2: pose(new Vector3(5, 5, 5), still) }));
  const { poses } = all.take(telling({ 0: pose(new Vector3(0, 1, 0), still) }));
  expect([...poses.subarray(7, 10)]).toEqual([1, 1, 0]);
  expect([...poses.subarray(14, 17)]).toEqual([5, 5, 5]);
});

it("leaves a frame alone that has all poses", () => {
  const frame = { poses: new Float32Array(7), placed: new Uint32Array(), places: new Float32Array() } as unknown as Frame;
  expect(new Assembler([-1]).take(frame)).toBe(frame);
});
