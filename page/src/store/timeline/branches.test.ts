import { describe, expect, it } from "vitest";
import type { LaneInfo } from "../../wire/messages";
import { findExtent, layOutBranches, findLineage } from "./branches";

function lane(id: number, parent: number | null, start: number, end: number, deleted = false): LaneInfo {
  return { id, name: `lane ${id}`, parent, start, begin: 0, end, deleted, stale: null };
}

/** 1 with branches 2 at 1 s and 3 at 2 s; 4 leaves 2 at 1.5 s. */
const TREE = [lane(1, null, 0, 5), lane(2, 1, 1, 4), lane(3, 1, 2, 3), lane(4, 2, 1.5, 6)];

describe("layout", () => {
  it("puts branches below what they leave", () => {
    const rows = layOutBranches(TREE);
    expect(rows.map((row) => row.lane.id)).toEqual([1, 3, 2, 4]);
    expect(rows.map((row) => row.depth)).toEqual([0, 1, 1, 2]);
    expect(rows.map((row) => row.parentRow)).toEqual([-1, 0, 0, 2]);
    expect(rows.every((row, index) => row.row === index)).toBe(true);
  });

  it("lets no connector cross a bar", () => {
    // Branches of branches at random, each leaving within its parent.
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const lanes = [lane(0, null, 0, 10)];
    for (let id = 1; id < 60; id++) {
      const parent = lanes[Math.floor(random() * lanes.length)] as LaneInfo;
      const start = parent.start + random() * (parent.end - parent.start);
      lanes.push(lane(id, parent.id, start, start + 0.1 + random() * 5));
    }
    const rows = layOutBranches(lanes);
    expect(rows).toHaveLength(60);
    for (const row of rows.filter((one) => one.parentRow >= 0)) {
      for (const other of rows.slice(row.parentRow + 1, row.row)) {
        expect(other.lane.start).toBeGreaterThanOrEqual(row.lane.start);
      }
    }
  });

  it("leaves deleted lanes out and hangs their branches on what is left", () => {
    const rows = layOutBranches([...TREE.filter((one) => one.id !== 2), lane(2, 1, 1, 4, true)]);
    expect(rows.map((row) => [row.lane.id, row.parentRow])).toEqual([[1, -1], [3, 0], [4, 0]]);
  });

  it("keeps the order of several beginnings", () => {
    expect(layOutBranches([lane(1, null, 0, 1), lane(2, null, 3, 4)]).map((row) => row.lane.id)).toEqual([1, 2]);
  });
});

describe("lineage", () => {
  it("goes up to where each branch leaves", () => {
    expect([...findLineage(TREE, 4)]).toEqual([[4, 6], [2, 1.5], [1, 1]]);
    expect([...findLineage(TREE, 1)]).toEqual([[1, 5]]);
    expect(findLineage(TREE, null).size).toBe(0);
    expect(findLineage(TREE, 99).size).toBe(0);
  });
});

describe("extent", () => {
  it("is that of what is in sight", () => {
    expect(findExtent(TREE)).toEqual([0, 6]);
    expect(findExtent([lane(1, null, 0, 2), lane(2, 1, 1, 9, true)])).toEqual([0, 2]);
    expect(findExtent([])).toEqual([0, 0]);
  });
});
