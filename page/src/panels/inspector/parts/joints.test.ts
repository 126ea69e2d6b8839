import { expect, it } from "vitest";
import type { Frame } from "../../../wire/frames";
import type { BodyInfo } from "../../../wire/messages";
import { effort, jointRows, findLoad, ofOne, toDegrees, withLimit } from "./joints";
import { effortUnit, formatStrength, isAngle } from "./labels";

const body = (more: Partial<BodyInfo>): BodyInfo => ({
  name: "arm",
  parent: 0,
  axis: null,
  character: 0,
  place: [0, 0, 0],
  mass: 1,
  joint: "elbow",
  kind: "revolute",
  v: 1,
  nv: 2,
  turns: [true, true],
  loose: false,
  limits: [],
  effort: [5, 10],
  stiffness: [],
  damping: [],
  ...more,
});
const frame = { effort: new Float32Array([99, -4, 2]) } as unknown as Frame;

it("tells how much of its strength a joint uses", () => {
  expect(findLoad(body({}), frame)).toBeCloseTo(0.8);
  expect(effort(body({}), frame)).toBe(4);
  expect(findLoad(body({ effort: [2, 10] }), frame)).toBe(1);
});

it("knows no share of a strength without bound, nor before there is a frame", () => {
  expect(findLoad(body({ effort: [-1, -1] }), frame)).toBeNull();
  expect(findLoad(body({}), null)).toBeNull();
});

it("lists what can be directed, not what has no actuator", () => {
  const root = { name: "root", state: "free" as const, weight: 1, stiffness: 0, damping: 0 };
  const rows = jointRows([body({ joint: "root", effort: [] }), body({}), body({ nv: 0 })], [root]);
  expect(rows.map((row) => row.index)).toEqual([1]);
});

it("tells of each coordinate in its own unit", () => {
  const cylinder = body({ turns: [true, false], effort: [5, -1] });
  expect([0, 1].map((k) => isAngle(cylinder, k))).toEqual([true, false]);
  expect([formatStrength(cylinder), formatStrength(body({}))]).toEqual(["5 N·m, ∞ N", "5, 10 N·m"]);
  expect([cylinder, body({}), body({ turns: [false, false] })].map(effortUnit)).toEqual(["N·m, N", "N·m", "N"]);
});

it("keeps limits in order", () => {
  expect(withLimit([-1, 1], 0, 2)).toEqual([2, 2]);
  expect(withLimit([-1, 1], 1, 0.5)).toEqual([-1, 0.5]);
});

it("writes right angles without noise", () => {
  expect(toDegrees(Math.PI / 2)).toBe(90);
});

it("of a crowd lists the joints of the character that is chosen", () => {
  const rows = jointRows([0, 0, 1, 1, 2].map((character) => body({ character })), []);
  const listed = (chosen: number, many: number) => ofOne(rows, chosen, many).map(({ index }) => index);
  expect(listed(-1, 5)).toEqual([0, 1, 2, 3, 4]);
  expect(listed(3, 4)).toEqual([2, 3]);
  expect(listed(-1, 4)).toEqual([0, 1]);
});
