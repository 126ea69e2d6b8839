import { describe, expect, it } from "vitest";
import type { NailInfo } from "../wire/messages";
import { Arcball, onBall, type Screen } from "./arcball";
import { between, clipsOf, snap, toMoment, toX } from "./bar";
import { canChange, isAllowed, offered, toggled } from "./freedoms";
import { handleOf, nearestHandle, targetFor } from "./handles";
import { editHint } from "./hints";
import { lockWords } from "./locking";
import { attributesOf, cellsOf, isLocked, shareFree, willLock } from "./masks";
import { badness, residualColor } from "./residual";
import { neighbour, passed } from "./state";
import { countsFor } from "./strength";
import { strengthAt } from "./strobes";
import { fanned, kindsFor, liveliness, nailError, nailName, nailTitle, plainWarning, reluctance } from "./words";

const nail: NailInfo = { id: 1, kind: "point", body: "left_hand", time: 0.5, target: [1, 2, 3], point: [0, 0, 0], strength: 1, now: [1, 2, 2], place: [1, 2, 2], error: 1 };

describe("nails of one moment", () => {
  const [first, second, later] = [nail, { ...nail, id: 2 }, { ...nail, id: 3, time: 0.8 }];
  const all = [first, second, later];
  it("stand below each other, and are told apart", () => {
    expect(all.map((one) => fanned(one, all))).toEqual([-0.5, 0.5, 0]);
    expect(all.map((one) => nailTitle(one, all))).toEqual(["Place · left hand (1)", "Place · left hand (2)", "Place · left hand"]);
    expect(nailTitle({ ...second, kind: "velocity" }, [first, { ...second, kind: "velocity" }])).toBe("Velocity · left hand");
  });
});

describe("a bounce", () => {
  it("is dead or elastic, or something between", () => {
    expect([0, 0.3, 0.6, 0.8, 1].map(liveliness)).toEqual(["dead", "dull", "lively", "springy", "elastic"]);
  });
});

describe("the timeline of an edit", () => {
  it("keeps room at its ends", () => {
    expect(toX(0, 2, 1000)).toBe(18);
    expect(toX(2, 2, 1000)).toBe(982);
    expect(toMoment(toX(0.7, 2, 1000), 2, 1000)).toBeCloseTo(0.7);
    expect(toMoment(-50, 2, 1000)).toBe(0);
    expect(toX(0, 0, 1000)).toBe(18);
  });

  it("is held from a grip to a release", () => {
    const clips = clipsOf([{ kind: "grip", time: 0.5, missed: false }, { kind: "bounce", time: 0.7, missed: false }, { kind: "release", time: 1, missed: false }], 2);
    expect(clips.map(({ held }) => held)).toEqual([false, true, true, false]);
    expect(clips.at(-1)).toEqual({ from: 1, to: 2, held: false, missed: false });
    expect(clipsOf([], 2)).toEqual([{ from: 0, to: 2, held: false, missed: false }]);
    expect(clipsOf([{ kind: "release", time: 1, missed: false }], 2, true).map(({ held }) => held)).toEqual([true, false]);
    const missing = clipsOf([{ kind: "grip", time: 1, missed: true }], 2);
    expect(missing.map(({ missed }) => missed)).toEqual([false, true]);
  });

  it("lets nothing be dragged over its neighbours", () => {
    expect(between([0.5, 1, 1.5], 1, 2)).toEqual([0.51, 1.49]);
    expect(between([0.5], 0, 2)).toEqual([0.01, 1.99]);
  });

  it("draws a mark to what is near", () => {
    expect(snap(0.5012, [0.5], 0.01)).toBe(0.5);
    expect(snap(0.5312, [0.5], 0.01)).toBe(0.531);
  });

  it("knows what comes next", () => {
    expect(neighbour([0, 2, 1], 0.5, 1)).toBe(1);
    expect(neighbour([0, 2, 1], 1, -1)).toBe(0);
    expect(neighbour([0, 2, 1], 2, 1)).toBeUndefined();
  });

  it("begins anew at the end if it is looped", () => {
    expect(passed(0.5, 0.1, 1, false)).toBeCloseTo(0.6);
    expect(passed(0.95, 0.1, 1, true)).toBeCloseTo(0.05);
    expect(passed(0.95, 0.1, 1, false)).toBeNull();
    expect(passed(0, 0.1, 0, true)).toBeNull();
  });
});

describe("strobes", () => {
  it("are faint where the character stands", () => {
    expect(strengthAt(0, 1)).toBeLessThan(0.2);
    expect(strengthAt(5, 1)).toBeGreaterThan(0.6);
    expect(strengthAt(0.2, 1)).toBeLessThan(strengthAt(0.4, 1));
  });
});

describe("what may change", () => {
  const bodies = [
    { name: "root", kind: "free", nv: 6 },
    { name: "arm", kind: "revolute", nv: 1 },
    { name: "slide", kind: "prismatic", nv: 1 },
    { name: "plate", kind: "fixed", nv: 0 },
  ];

  it("follows from the kind of the joint", () => {
    expect(bodies.map((body) => attributesOf(body).length)).toEqual([4, 2, 2, 0]);
    expect(attributesOf({ kind: "translational", nv: 3 })).toEqual(["position", "velocity"]);
    expect(cellsOf(bodies)).toHaveLength(8);
  });

  it("is locked for a body or for all", () => {
    const locked = [["rotation", ""], ["velocity", "root"]] as [string, string][];
    expect(isLocked(locked, "rotation", "arm")).toBe(true);
    expect(isLocked(locked, "velocity", "root")).toBe(true);
    expect(isLocked(locked, "velocity", "slide")).toBe(false);
    expect(shareFree(locked, [["rotation", "arm"], ["angular velocity", "arm"]])).toBe("some");
    expect(shareFree(locked, [["rotation", "arm"]])).toBe("none");
    expect([willLock("some"), willLock("none")]).toEqual([true, false]);
  });

  it("is locked in as few words as possible", () => {
    const every = cellsOf(bodies);
    expect(lockWords(every, every)).toEqual([{ attributes: ["position", "velocity", "rotation", "angular velocity"], body: null }]);
    expect(lockWords([["rotation", "arm"]], every)).toEqual([{ attributes: ["rotation"], body: "arm" }]);
    const arm = every.filter(([, body]) => body === "arm");
    expect(lockWords(arm, every)).toEqual([{ attributes: ["rotation", "angular velocity"], body: "arm" }]);
    expect(lockWords(every.filter(([name]) => name === "rotation"), every)).toEqual([{ attributes: ["rotation"], body: null }]);
  });

  it("is said in plain words", () => {
    expect([0.01, 0.3, 1, 5, 100].map(reluctance)).toEqual(["changed first", "rather changed", "as the others", "rather kept", "changed last"]);
    expect([0.1, 0.5, 1, 2, 10].map(countsFor)).toEqual(["little", "less", "normal", "more", "much"]);
  });

  it("is offered where it makes sense", () => {
    const options = { gravity: true, times: false, push: false, muscles: {} };
    expect(offered(options, 0).map(({ name }) => name)).toEqual(["gravity", "muscles"]);
    expect(offered(options, 2).map(({ name }) => name)).toEqual(["times", "push", "gravity", "muscles"]);
    const bodies = new Set(["rotation"]);
    expect(["rotation", "position", "gravity", "muscle"].map((name) => canChange(name, bodies, options))).toEqual([true, false, true, false]);
  });

  it("has muscles joint by joint", () => {
    expect(toggled("gravity", true, [])).toBe(true);
    expect(Object.keys(toggled("muscles", true, ["elbow"]) as object)).toEqual(["elbow"]);
    expect(isAllowed(toggled("muscles", false, ["elbow"]))).toBe(false);
    expect([isAllowed({ elbow: 6 }), isAllowed([]), isAllowed(true)]).toEqual([true, false, true]);
  });
});

describe("nails", () => {
  it("are taken by where they want their point", () => {
    expect(handleOf(nail, 1)).toEqual({ from: [1, 2, 2], at: [1, 2, 3], root: null, turns: false });
    expect(targetFor(nail, 1, [5, 5, 5])).toEqual([5, 5, 5]);
  });

  it("of velocities are taken by the tips of their arrows", () => {
    const fast = { ...nail, kind: "velocity", target: [10, 0, 0], now: [5, 0, 0] };
    const { root, at, from } = handleOf(fast, 1);
    expect(root).toEqual([1, 2, 2]);
    expect(at[0] - 1).toBeCloseTo(2 * (from[0] - 1));
    targetFor(fast, 1, at).forEach((value, k) => expect(value).toBeCloseTo([10, 0, 0][k] as number));
  });

  it("are met or not by colour", () => {
    expect(badness(0, 1e-3)).toBe(0);
    expect(badness(1e-3, 1e-3)).toBe(0);
    expect(badness(0.01, 1e-3)).toBeGreaterThan(0.25);
    expect(badness(10, 1e-3)).toBe(1);
    expect(badness(Number.NaN, 1e-3)).toBe(0);
    expect(residualColor(0, 1e-3)).toBe("var(--good)");
    expect(residualColor(5, 1e-3)).toContain("--bad");
  });

  it("say how far they are off in their own unit", () => {
    expect(nailError(nail)).toBe("1.0 m");
    expect(nailError({ kind: "point", error: 0.0042 })).toBe("4.2 mm");
    expect(nailError({ kind: "rotation", error: Math.PI / 2 })).toBe("90°");
    expect(nailError({ kind: "velocity", error: 2 })).toBe("2.0 m/s");
    expect(nailName(nail)).toBe("Place · left hand");
    expect(nailName({ kind: "center", body: "root" })).toBe("Balance");
  });

  it("cannot bend what has no joint of its own", () => {
    expect(kindsFor("free").map(({ name }) => name)).not.toContain("joint");
    expect(kindsFor("revolute").map(({ name }) => name)).toContain("joint");
  });

  it("that are impossible are told without formulas", () => {
    const told = "what is wanted is impossible: 100% of the squared error would remain, expected 10% at most; the motion stays as it was.";
    expect(plainWarning(told)).toBe("What is wanted is impossible; the motion stays as it was.");
    const slow = "what is wanted is impossible: the error would fall from 1.39 to 1.09, and then it hardly falls any more; the motion stays as it was.";
    expect(plainWarning(slow)).toBe("What is wanted is impossible; the motion stays as it was.");
    expect(plainWarning("")).toBe("");
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
    expect(onBall(screen, 100, 100).toArray()).toEqual([0, 0, 1]);
    expect(onBall(screen, 500, 100).toArray()).toEqual([1, 0, 0]);
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
    expect(editHint(place)).toContain("Scrub below");
    expect(editHint({ ...place, body: "left_hand" })).toMatch(/^Drag the left hand: the whole motion follows/);
    expect(editHint({ ...place, mode: "pin", body: "hand" })).toContain("nail the hand");
    expect(editHint({ ...place, directing: false, body: "hand" })).toContain("watching");
    expect(editHint({ ...place, nail: "Place · hand" })).toContain("want something else");
  });
});
