import { describe, expect, it } from "vitest";
import { alongBody, barAt, floorAt, gapTo, isFloor } from "./surfaces";

const bar = { point: [1, 2, 0] as [number, number, number], direction_of: [0, 0, 2] as [number, number, number], radius: 0.02 };

describe("what a motion meets", () => {
  it("is a floor if it lies level", () => {
    expect(isFloor(floorAt(0, 0.1))).toBe(true);
    expect(floorAt(0.5, 0.1).plane?.point[1]).toBeCloseTo(0.6);
    expect(isFloor({ plane: { point: [0, 0, 0], normal: [1, 0, 0] } })).toBe(false);
    expect(isFloor({ bar })).toBe(false);
  });
  it("is a bar if a hand is at it, however far along", () => {
    expect(gapTo(bar, [1.1, 2, 7])).toBeCloseTo(0.08);
    expect(barAt([{ bar }], [1.03, 2, 5])).toBe(bar);
    expect(barAt([floorAt(0, 0), { bar }], [1.2, 2, 5])).toBeNull();
  });
});

describe("an axis", () => {
  it("is told along the body, as it is turned then", () => {
    // A quarter turn about z: the body's x is the world's y.
    const poses = [0, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const [x, y, z] = alongBody(poses, 0, [0, 3, 0]);
    expect(x).toBeCloseTo(1);
    expect(y).toBeCloseTo(0);
    expect(z).toBeCloseTo(0);
  });
});
