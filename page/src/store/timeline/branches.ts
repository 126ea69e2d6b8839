/** Lanes as rows: a branch stands below what it leaves, and no line from one to the other crosses a third. */

import type { LaneInfo } from "../../wire/messages";

export interface BranchRow {
  lane: LaneInfo;
  row: number;
  depth: number;
  /** Row of the lane that it leaves; -1 if there is none in sight. */
  parentRow: number;
}

/**
 * Rows of all lanes that are not deleted. Of several branches the one that leaves last stands first: the line down to an
 * earlier one then passes left of it.
 */
export function layOutBranches(lanes: LaneInfo[]): BranchRow[] {
  const all = new Map(lanes.map((lane) => [lane.id, lane]));
  const children = new Map<number | null, LaneInfo[]>();
  for (const lane of lanes) {
    if (lane.deleted) continue;
    const parent = visibleParent(all, lane);
    const siblings = children.get(parent) ?? [];
    siblings.push(lane);
    children.set(parent, siblings);
  }
  const rows: BranchRow[] = [];
  const place = (parent: number | null, parentRow: number, depth: number) => {
    const siblings = children.get(parent) ?? [];
    // Beginnings of their own keep the order in which they were made.
    if (parent !== null) siblings.sort((a, b) => b.start - a.start || a.id - b.id);
    for (const lane of siblings) {
      const row = rows.length;
      rows.push({ lane, row, depth, parentRow });
      place(lane.id, row, depth + 1);
    }
  };
  place(null, -1, 0);
  return rows;
}

/** The nearest ancestor that is not deleted. */
function visibleParent(all: Map<number, LaneInfo>, lane: LaneInfo): number | null {
  let parent = lane.parent;
  while (parent !== null) {
    const found = all.get(parent);
    if (!found) return null;
    if (!found.deleted) return parent;
    parent = found.parent;
  }
  return null;
}

/** Up to when each lane belongs to the story of one of them: to its own end, and of its parents to where the next one leaves. */
export function findLineage(lanes: LaneInfo[], looked: number | null): Map<number, number> {
  const all = new Map(lanes.map((lane) => [lane.id, lane]));
  const story = new Map<number, number>();
  let lane = looked === null ? undefined : all.get(looked);
  let until = lane?.end ?? 0;
  while (lane && !story.has(lane.id)) {
    story.set(lane.id, until);
    until = Math.min(until, lane.start);
    lane = lane.parent === null ? undefined : all.get(lane.parent);
  }
  return story;
}

/** First and last moment of everything in sight [s]. */
export function findExtent(lanes: LaneInfo[]): [number, number] {
  const shown = lanes.filter((lane) => !lane.deleted);
  if (shown.length === 0) return [0, 0];
  return [Math.min(...shown.map((lane) => lane.begin)), Math.max(...shown.map((lane) => lane.end))];
}
