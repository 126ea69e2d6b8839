import { describe, expect, it } from "vitest";
import { makeMarkerName, findReplayRange } from "../../commands/time";
import type { LaneInfo } from "../../wire/messages";
import { dragRange } from "./RangeBar";
import { layOutSpans } from "./spans";

describe("a range", () => {
  it("is dragged by its ends, as a whole, and not out of the record", () => {
    expect(dragRange([1, 2], "start", 0.5, [0, 5])).toEqual([1.5, 2]);
    expect(dragRange([1, 2], "end", 9, [0, 5])).toEqual([1, 5]);
    expect(dragRange([1, 2], "both", -3, [0, 5])).toEqual([0, 1]);
    expect(dragRange([1, 2], "both", 99, [0, 5])).toEqual([4, 5]);
  });

  it("keeps some length", () => {
    const [start, end] = dragRange([1, 2], "start", 5, [0, 5]);
    expect(end - start).toBeGreaterThan(0);
  });

  it("decides what is replayed", () => {
    expect(findReplayRange([1, 2], true, [0, 5], 4)).toEqual({ start: 1, end: 2 });
    expect(findReplayRange([1, 9], false, [0, 5], 4)).toEqual({ start: 1, end: 5 });
    expect(findReplayRange(null, false, [0, 5], 3)).toEqual({ start: 3, end: 5 });
    expect(findReplayRange(null, false, [0, 5], 5)).toEqual({ start: 0, end: 5 });
    expect(findReplayRange(null, true, [0, 5], 3)).toEqual({ start: 0, end: 5 });
    expect(findReplayRange([6, 7], false, [0, 5], 3)).toEqual({ start: 3, end: 5 });
  });
});

describe("markers", () => {
  it("get names that nobody has", () => {
    expect(makeMarkerName([])).toBe("Mark 1");
    expect(makeMarkerName(["Mark 2"])).toBe("Mark 3");
    expect(makeMarkerName(["Mark 1", "Mark 3"])).toBe("Mark 4");
  });
});

describe("spans", () => {
  const lanes = [
    { id: 1, parent: null, start: 0, begin: 0, end: 5, name: "", deleted: false, stale: null },
    { id: 2, parent: 1, start: 2, begin: 0, end: 4, name: "", deleted: false, stale: null },
  ] satisfies LaneInfo[];
  const story = new Map([[2, 4], [1, 2]]);

  it("are drawn on the lanes where they were recorded", () => {
    const found = layOutSpans([{ kind: "drag", start: 1, end: 3 }], lanes, story, 4, { from: 0, to: 10 });
    expect(found).toEqual([
      { kind: "drag", lane: 2, start: 2, end: 3 },
      { kind: "drag", lane: 1, start: 1, end: 2 },
    ]);
  });

  it("go on to the end if they have none, and are left out when out of sight", () => {
    expect(layOutSpans([{ kind: "pin", start: 3, end: null }], lanes, story, 4, { from: 0, to: 10 })).toEqual([
      { kind: "pin", lane: 2, start: 3, end: 4 },
    ]);
    expect(layOutSpans([{ kind: "pin", start: 3, end: 3.5 }], lanes, story, 4, { from: 0, to: 1 })).toEqual([]);
  });

  it("never hide what a hand did", () => {
    const both = [{ kind: "drag", start: 2, end: 3 } as const, { kind: "directed", start: 2, end: 4 } as const];
    expect(layOutSpans(both, lanes, story, 4, { from: 0, to: 10 }).map((piece) => piece.kind)).toEqual(["directed", "drag"]);
  });
});
