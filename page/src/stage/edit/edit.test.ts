import { describe, expect, it } from "vitest";
import type { NailInfo } from "../../wire/messages";
import { Arcball, projectOnBall, type Screen } from "./arcball";
import { findOpacity } from "./ghosts";
import { findHandle, nearestHandle, findTarget } from "./handles";
import { makeEditHint } from "./hints";

const nail: NailInfo = { id: 1, kind: "point", body: "left_hand", time: 0.5, target: [1, 2, 3], point: [0, 0, 0], strength: 1, now: [1, 2, 2], place: [1, 2, 2], error: 1 };

describe("strobes", () => {
  it("are faint where the character stands", () => {
    expect(findOpacity(0, 1)).toBeLessThan(0.2);
    expect(findOpacity(5, 1)).toBeGreaterThan(0.6);
    expect(findOpacity(0.2, 1)).toBeLessThan(findOpacity(0.4, 1));
  });
});

describe("nails", () => {
  it("are taken by where they want their point", () => {
    expect(findHandle(nail, 1)).toEqual({ from: [1, 2, 2], at: [1, 2, 3], root: null, turns: false });
    expect(findTarget(nail, 1, [5, 5, 5])).toEqual([5, 5, 5]);
  });

  it("of velocities are taken by the tips of their arrows", () => {
    const fast = { ...nail, kind: "velocity", target: [10, 0, 0], now: [5, 0, 0] };
    const { root, at, from } = findHandle(fast, 1);
    expect(root).toEqual([1, 2, 2]);
    expect(at[0] - 1).toBeCloseTo(2 * (from[0] - 1));
    findTarget(fast, 1, at).forEach((value, k) => expect(value).toBeCloseTo([10, 0, 0][k] as number));
  });

  it("of the moment that is looked at are taken first", () => {
    const far = { x: 10, y: 0, here: true };
    const near = { x: 2, y: 0, here: false };
    expect(nearestHandle([near, far], 0, 0, 13)).toBe(far);
    expect(nearestHandle([near], 0, 0, 13)).toBe(near);
    expect(nearestHandle([near], 50, 0, 13)).toBeNull();
  });
});

describe("an arcball", () => {
  const screen: Screen = { x: 100, y: 100, radius: 50, right: [1, 0, 0], up: [0, 1, 0], toward: [0, 0, 1] };

  it("has its nearest point in its middle, and an edge", () => {
    expect(projectOnBall(screen, 100, 100).toArray()).toEqual([0, 0, 1]);
    expect(projectOnBall(screen, 500, 100).toArray()).toEqual([1, 0, 0]);
  });

  it("turns what is under the pointer along with it", () => {
    const ball = new Arcball(screen, [0, 0, 0, 1], 100, 100);
    expect(ball.move(100, 100)[3]).toBeCloseTo(1);
    const [x, y, z, w] = ball.move(125, 100);
    // A sixth of a turn of arc: the body turns by twice that, about what points up.
    expect([x, z].map(Math.abs)).toEqual([expect.closeTo(0), expect.closeTo(0)]);
    expect(2 * Math.atan2(y, w)).toBeCloseTo(Math.PI / 3);
  });
});

describe("hints", () => {
  const place = { mode: "bone" as const, directing: true, body: null, nail: null, whole: false, ring: false, center: false, touch: false };

  it("say what a drag would do", () => {
    expect(makeEditHint(place)).toContain("Scrub below");
    expect(makeEditHint({ ...place, body: "left_hand" })).toMatch(/^Drag the left hand: the whole motion follows/);
    expect(makeEditHint({ ...place, mode: "pin", body: "hand" })).toContain("nail the hand");
    expect(makeEditHint({ ...place, directing: false, body: "hand" })).toContain("watching");
    expect(makeEditHint({ ...place, nail: "Place · hand" })).toContain("want something else");
  });
});
