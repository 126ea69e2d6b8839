import { expect, it } from "vitest";
import { moves, readFrame, readGhosts } from "./frames";
import { FIRST_BYTE, FLAG, FRAME_HEADER as H, GHOSTS_HEADER as G, GOAL, ROLE } from "./messages";

it("a frame is read back part by part", () => {
  const counts = { bodies: 2, nodes: 1, contacts: 1, goals: 1, flagged: 3, effort: 2, moving: 2, placed: 1 };
  const floats = 14 + 3 + 6 + 6 + GOAL;
  const buffer = new ArrayBuffer(H.size + 4 * (floats + 3 + 2 + 2 + 8));
  const view = new DataView(buffer);
  view.setUint8(H.kind, FIRST_BYTE.FRAME);
  view.setUint16(H.flags, FLAG.LIVE | FLAG.STALE, true);
  view.setUint32(H.sequence, 7, true);
  view.setUint32(H.epoch, 3, true);
  view.setUint32(H.input, 41, true);
  view.setFloat64(H.time, 1.25, true);
  view.setFloat32(H.wait, 4.5, true);
  view.setFloat32(H.real_time, 2, true);
  for (const [name, count] of Object.entries(counts)) view.setUint32(H[name as keyof typeof counts], count, true);
  let offset: number = H.size;
  for (let k = 0; k < floats; k++, offset += 4) view.setFloat32(offset, k, true);
  for (let k = 0; k < 3; k++, offset += 4) view.setUint32(offset, 100 + k, true);
  for (let k = 0; k < 2; k++, offset += 4) view.setFloat32(offset, -k - 1, true);
  for (const word of [0x80000001, 0x2]) {
    view.setUint32(offset, word, true);
    offset += 4;
  }
  view.setUint32(offset, 1, true);
  for (let k = 0; k < 7; k++) view.setFloat32(offset + 4 + 4 * k, 50 + k, true);

  const frame = readFrame(buffer);
  expect(frame).toMatchObject({ sequence: 7, epoch: 3, input: 41, time: 1.25, wait: 4.5, realTime: 2, live: true, present: false, stale: true, directed: false });
  expect([...frame.poses]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  expect([...frame.nodes]).toEqual([14, 15, 16]);
  expect([...frame.center]).toEqual([17, 18, 19, 20, 21, 22]);
  expect([...frame.contacts]).toEqual([23, 24, 25, 26, 27, 28]);
  expect([...frame.goals]).toEqual([29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
  expect([...frame.flagged]).toEqual([100, 101, 102]);
  expect([...frame.effort]).toEqual([-1, -2]);
  expect([...frame.placed]).toEqual([1]);
  expect([...frame.places]).toEqual([50, 51, 52, 53, 54, 55, 56]);
  expect(Array.from({ length: 70 }, (_, body) => body).filter((body) => moves(frame.moving, body))).toEqual([0, 31, 33]);
});

it("ghosts are read back moment by moment", () => {
  const [count, bodies, nodes] = [2, 1, 1];
  const buffer = new ArrayBuffer(G.size + 4 * (count + 7 * count + 3 * count + 3 * count));
  const view = new DataView(buffer);
  view.setUint8(G.kind, FIRST_BYTE.GHOSTS);
  view.setUint16(G.role, ROLE.POSE, true);
  view.setUint32(G.epoch, 5, true);
  view.setUint32(G.count, count, true);
  view.setUint32(G.bodies, bodies, true);
  view.setUint32(G.nodes, nodes, true);
  for (let k = 0; k < 28; k++) view.setFloat32(G.size + 4 * k, k, true);
  const ghosts = readGhosts(buffer);
  expect(ghosts).toMatchObject({ role: ROLE.POSE, epoch: 5, bodies, nodeCount: nodes });
  expect([...ghosts.time]).toEqual([0, 1]);
  expect([...ghosts.poses.subarray(7)]).toEqual([9, 10, 11, 12, 13, 14, 15]);
  expect([...ghosts.nodes]).toEqual([16, 17, 18, 19, 20, 21]);
  expect([...ghosts.centers]).toEqual([22, 23, 24, 25, 26, 27]);
});
