/** What acted when: names and colours, and which lane a stretch of it is drawn on. */

import { findGoalKind } from "../../store/goals";
import type { LaneInfo, SpanInfo } from "../../wire/messages";

export const KINDS: Record<string, { title: string; help: string }> = {
  drag: { title: "Bone", help: "a bone was dragged" },
  center: { title: "Centre", help: "the centre of gravity was dragged" },
  turn: { title: "Rotate", help: "the whole character was turned" },
  pose: { title: "Pose", help: "a pose was aimed at" },
  pin: { title: "Pin", help: "something was pinned" },
  passive: { title: "Limp", help: "joints were let go limp" },
  keyframes: { title: "Keyframes", help: "joints followed keyframes" },
  directed: { title: "Directed", help: "joints were held by their muscles, with no goal" },
};

/** What a kind of span is called; goals from elsewhere as they are described. */
export function spanTitle(kind: string): string {
  return KINDS[kind]?.title ?? findGoalKind(kind)?.label ?? kind;
}

/** Name of the colour of a kind of span. */
export function spanColor(kind: string): string {
  return kind in KINDS ? kind : "accent";
}

/** Drawn from back to front, kinds from elsewhere last: what a hand did is never hidden by what went on anyway. */
const ORDER = ["directed", "passive", "keyframes", "pin", "pose", "turn", "center", "drag"];
const rank = ({ kind }: SpanInfo) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);

export interface Piece {
  kind: SpanInfo["kind"];
  lane: number;
  start: number;
  end: number;
}

/** Spans cut into pieces of the lanes on which they are recorded, those in sight only. */
export function layOutSpans(
  spans: SpanInfo[],
  lanes: LaneInfo[],
  story: Map<number, number>,
  until: number,
  view: { from: number; to: number },
): Piece[] {
  const found: Piece[] = [];
  const starts = new Map(lanes.map((lane) => [lane.id, lane.start]));
  const seen = spans.filter((span) => (span.end ?? until) >= view.from && span.start <= view.to);
  for (const span of seen.sort((a, b) => rank(a) - rank(b))) {
    const spanEnd = span.end ?? until;
    for (const [lane, laneEnd] of story) {
      const start = Math.max(span.start, starts.get(lane) ?? 0);
      const end = Math.min(spanEnd, laneEnd);
      if (end > start) found.push({ kind: span.kind, lane, start, end });
    }
  }
  return found;
}
