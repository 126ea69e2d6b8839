import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createGesture } from "./gesture";

describe("gesture", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function heard() {
    const said: [string, unknown][] = [];
    const say = async (command: string, args: Record<string, unknown> = {}) => {
      said.push([command, args]);
      return undefined;
    };
    return { said, hand: createGesture("configure", "change friction", say) };
  }

  it("is one step: begin, changes, end", async () => {
    const { said, hand } = heard();
    hand.change({ friction: 0.1 });
    await hand.end({ friction: 0.2 });
    expect(said).toEqual([
      ["begin_gesture", { label: "change friction" }],
      ["configure", { friction: 0.1 }],
      ["configure", { friction: 0.2 }],
      ["end_gesture", {}],
    ]);
  });
  it("sends at most ten changes a second, and of those waiting only the newest", () => {
    const { said, hand } = heard();
    for (let k = 0; k < 100; k++) {
      hand.change({ friction: k });
      vi.advanceTimersByTime(10);
    }
    const changes = said.filter(([command]) => command === "configure");
    expect(changes.length).toBeLessThanOrEqual(11);
    expect(changes.length).toBeGreaterThanOrEqual(9);
    expect(changes.at(-1)?.[1]).toEqual({ friction: 99 });
  });
  it("does not say the last value twice, but says it again another time", async () => {
    const { said, hand } = heard();
    hand.change({ friction: 0.1 });
    await hand.end({ friction: 0.1 });
    expect(said.filter(([command]) => command === "configure")).toHaveLength(1);
    await hand.end({ friction: 0.1 });
    expect(said.filter(([command]) => command === "configure")).toHaveLength(2);
  });
  it("needs no gesture for a single value", async () => {
    const { said, hand } = heard();
    await hand.end({ friction: 0.5 });
    expect(said).toEqual([["configure", { friction: 0.5 }]]);
  });
  it("sends nothing more after its end", async () => {
    const { said, hand } = heard();
    hand.change({ friction: 1 });
    hand.change({ friction: 2 });
    await hand.end({ friction: 3 });
    vi.advanceTimersByTime(1000);
    expect(said.at(-1)).toEqual(["end_gesture", {}]);
    expect(said).toHaveLength(4);
  });
});
