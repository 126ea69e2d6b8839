import { describe, expect, it } from "vitest";
import { distance, type Vec } from "../../geometry/vectors";
import { Anchor, findConstraint, findPointUnder, type ConstraintInput } from "./constraint";
import { angleBetween, makeCircle, RingDrag, turnBy, keepTwist } from "./rings";
import { makeDragHint, makeHint, type Situation } from "./hints";

const view: Vec = [0, 0, -1];
const wish: ConstraintInput = { plane: "camera", axis: null, shift: false, control: false, flat: null };
/** Straight into the picture at x, y. */
const at = (x: number, y: number) => ({ origin: [x, y, 5] as Vec, direction: [0, 0, -1] as Vec });
/** From above at a slant, onto the floor below the eye. */
const down = (x: number) => ({ origin: [x, 1, 1] as Vec, direction: [0, -Math.SQRT1_2, -Math.SQRT1_2] as Vec });

describe("where a target may go", () => {
  it("faces the camera unless something else is chosen", () => {
    expect(findConstraint(wish, view)).toEqual({ kind: "plane", normal: view });
    expect(findConstraint({ ...wish, plane: "floor" }, view)).toEqual({ kind: "plane", normal: [0, 1, 0] });
    expect(findConstraint({ ...wish, plane: "axis" }, view)).toEqual({ kind: "line", axis: [0, 1, 0] });
  });

  it("follows keys: a letter before Shift before Ctrl before the choice", () => {
    expect(findConstraint({ plane: "axis", axis: "x", shift: true, control: true, flat: null }, view)).toEqual({ kind: "line", axis: [1, 0, 0] });
    expect(findConstraint({ plane: "axis", axis: null, shift: true, control: true, flat: null }, view)).toEqual({ kind: "plane", normal: [0, 1, 0] });
    expect(findConstraint({ plane: "camera", axis: null, shift: false, control: true, flat: null }, view)).toEqual({ kind: "line", axis: [0, 1, 0] });
  });

  it("stays in the plane that the character cannot leave", () => {
    const flat: Vec = [0, 0, 1];
    expect(findConstraint({ ...wish, flat }, [0.6, 0, -0.8])).toEqual({ kind: "plane", normal: flat });
    const floor = findConstraint({ ...wish, flat, shift: true }, [0.6, 0, -0.8]);
    expect(floor.kind).toBe("line");
    expect(Math.abs(floor.kind === "line" ? floor.axis[0] : 0)).toBeCloseTo(1);
    expect(findConstraint({ ...wish, flat, control: true }, view)).toEqual({ kind: "line", axis: [0, 1, 0] });
    expect(findConstraint({ ...wish, flat, axis: "z" }, view)).toEqual({ kind: "plane", normal: flat });
  });

  it("is where the pointer meets the plane or comes nearest to the line", () => {
    expect(findPointUnder(at(2, 3), [0, 0, 1], { kind: "plane", normal: [0, 0, 1] })).toEqual([2, 3, 1]);
    expect(findPointUnder(at(2, 3), [0, 0, 1], { kind: "line", axis: [0, 1, 0] })).toEqual([0, 3, 1]);
    expect(findPointUnder(at(2, 3), [0, 0, 1], { kind: "line", axis: [0, 0, 1] })).toBeNull();
  });
});

describe("a drag", () => {
  it("keeps the distance from the pointer to what it holds", () => {
    const anchor = new Anchor([0, 0, 0], at(0.2, 0.1), { kind: "plane", normal: [0, 0, 1] });
    expect(anchor.move(at(0.2, 0.1), 9)).toEqual([0, 0, 0]);
    const moved = anchor.move(at(1.2, 0.6), 9) as Vec;
    expect(distance(moved, [1, 0.5, 0])).toBeLessThan(1e-12);
  });

  it("does not jump when the constraint changes on the way", () => {
    const first = new Anchor([0, 0.5, 0], down(0), { kind: "plane", normal: [0, 0, 1] });
    const target = first.move(down(0.3), 9) as Vec;
    const second = new Anchor(target, down(0.3), { kind: "plane", normal: [0, 1, 0] });
    expect(distance(second.move(down(0.3), 9) as Vec, target)).toBeLessThan(1e-12);
  });

  it("does not run away toward the horizon", () => {
    const anchor = new Anchor([0, 0, 0], down(0), { kind: "plane", normal: [0, 1, 0] });
    const flat = { origin: [0, 1, 1] as Vec, direction: [0, -0.001, -1] as Vec };
    expect(anchor.move(flat, 30)).toBeNull();
  });
});

describe("turning", () => {
  it("measures angles about an axis, with their sign", () => {
    expect(angleBetween([1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1])).toBeCloseTo(Math.PI / 2);
    expect(angleBetween([0, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 1])).toBeCloseTo(-Math.PI / 2);
  });

  it("turns about the world's axis, from how it was", () => {
    const half = Math.SQRT1_2;
    turnBy([half, 0, 0, half], [0, 0, 1], Math.PI / 2).forEach((value, k) => expect(value).toBeCloseTo([0.5, 0.5, 0.5, 0.5][k] as number));
  });

  it("takes of a wish what is about a hinge's axis", () => {
    const start = turnBy([0, 0, 0, 1], [1, 0, 0], 0.4);
    const wanted = turnBy(turnBy(start, [0, 1, 0], 0.05), [0, 0, 1], 0.5);
    const found = keepTwist(start, wanted, [0, 0, 1]);
    turnBy(start, [0, 0, 1], 0.5).forEach((value, k) => expect(found[k]).toBeCloseTo(value, 2));
  });

  it("goes more than half around with the pointer", () => {
    const turning = new RingDrag("z", [0, 0, 0], [0, 0, 0, 1], at(1, 0));
    let last = [0, 0, 0, 1];
    for (let k = 1; k <= 9; k++) last = turning.move(at(Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6)));
    expect(last[2]).toBeCloseTo(Math.sin(0.75 * Math.PI));
    expect(last[3]).toBeCloseTo(Math.cos(0.75 * Math.PI));
  });

  it("has rings around their axis", () => {
    for (const point of makeCircle([1, 2, 3], "y", 0.5)) {
      expect(point[1]).toBe(2);
      expect(distance(point, [1, 2, 3])).toBeCloseTo(0.5);
    }
  });
});

describe("hints", () => {
  const there: Situation = {
    mode: "bone", bone: "bone_3", directable: true, somebody: true, free: true, directing: true, connected: true, handle: false, pinned: false, limp: false, whole: false, touch: false, pulled: false, undirectable: false,
  };

  it("say what a drag or a click would do", () => {
    expect(makeHint(there)).toBe("Drag bone 3");
    expect(makeHint({ ...there, mode: "pin" })).toBe("Click to pin the bone 3");
    expect(makeHint({ ...there, mode: "pin", pinned: true })).toBe("Click to free the bone 3");
    expect(makeHint({ ...there, mode: "passive" })).toContain("go limp");
    expect(makeHint({ ...there, mode: "passive", whole: true })).toBe("Click to let the whole character go limp");
    expect(makeHint({ ...there, mode: "passive", limp: true })).toContain("work again");
  });

  it("say it if a drag pulls from outside", () => {
    expect(makeHint({ ...there, pulled: true })).toBe("Drag to pull the bone 3 from outside, by a spring");
    expect(makeHint({ ...there, pulled: true, bone: null })).toContain("by a spring");
    expect(makeHint({ ...there, undirectable: true, directable: false, bone: null })).toContain("joints move by themselves");
    expect(makeDragHint("camera", wish, false, true)).toMatch(/^Pulling facing you.* J: joint springs/);
  });

  it("say why nothing would happen", () => {
    expect(makeHint({ ...there, directing: false })).toBe("You are watching; press D to direct");
    expect(makeHint({ ...there, bone: null, directing: false })).toBe("You are watching; press D to direct. Drag empty space to orbit");
    expect(makeHint({ ...there, directable: false })).toContain("cannot be directed");
    expect(makeHint({ ...there, directable: false, somebody: false, bone: null })).toContain("watch");
    expect(makeHint({ ...there, mode: "turn", free: false })).toContain("cannot be turned");
    expect(makeHint({ ...there, connected: false })).toBe("");
  });

  it("name the way a target moves", () => {
    expect(makeDragHint("camera", wish)).toContain("facing you");
    expect(makeDragHint("camera", wish, true)).toContain("in its own plane");
    expect(makeDragHint("camera", wish, true)).not.toContain("Wheel");
    expect(makeDragHint("camera", { ...wish, axis: "z", shift: true })).toContain("along Z");
    expect(makeDragHint("axis", { ...wish, shift: true })).toContain("level");
    expect(makeDragHint("floor", { ...wish, control: true })).toContain("up and down");
  });
});
