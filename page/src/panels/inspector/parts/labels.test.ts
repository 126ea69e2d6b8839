import { expect, it } from "vitest";
import { axisLetters, formatDistance, goalName } from "./labels";

it("says distances in units that a person sees", () => {
  expect(formatDistance(0.0004, "drag")).toBe("0.4 mm");
  expect(formatDistance(0.0321, "drag")).toBe("3.2 cm");
  expect(formatDistance(0.5, "pin")).toBe("50 cm");
  expect(formatDistance(1.5, "center")).toBe("1.50 m");
  expect(formatDistance(Math.PI / 2, "turn")).toBe("90°");
  expect(formatDistance(undefined, "drag")).toBe("");
  expect(formatDistance(Number.NaN, "drag")).toBe("");
});

it("names a goal by what it does and to which bone", () => {
  expect(goalName({ kind: "drag", bone: "bone_1" })).toBe("Drag bone 1");
  expect(goalName({ kind: "center", bone: "" })).toBe("Centre of gravity");
});

it("tells the axes that count", () => {
  expect(axisLetters([[0, 0, 1], [-1, 0, 0]])).toBe("xz");
  expect(axisLetters([[0.6, 0.8, 0]])).toBeNull();
});
