import { expect, it } from "vitest";
import { welcome } from "../../../store/studio";
import type { Welcome } from "../../../wire/messages";
import { axisLetters, formatDistance, goalIcon, goalName } from "./labels";

it("says distances in units that a person sees", () => {
  expect(formatDistance(0.0004, "m")).toBe("0.4 mm");
  expect(formatDistance(0.0321, "m")).toBe("3.2 cm");
  expect(formatDistance(0.5, "m")).toBe("50 cm");
  expect(formatDistance(1.5, "m")).toBe("1.50 m");
  expect(formatDistance(Math.PI / 2, "rad")).toBe("90°");
  expect(formatDistance(undefined, "m")).toBe("");
  expect(formatDistance(Number.NaN, "m")).toBe("");
});

it("names a goal as its kind is described, and the bone it is about", () => {
  const kinds = [{ kind: "drag", label: "Drag", icon: "hand" }, { kind: "center", label: "Centre of gravity", icon: "spiral" }];
  welcome.value = { goals: kinds } as Welcome;
  expect(goalIcon("drag")).toBe("hand");
  expect(goalIcon("center")).toBe("target");
  expect(goalName({ kind: "drag", bone: "bone_1" })).toBe("Drag bone 1");
  expect(goalName({ kind: "center", bone: "" })).toBe("Centre of gravity");
});

it("tells the axes that count", () => {
  expect(axisLetters([[0, 0, 1], [-1, 0, 0]])).toBe("xz");
  expect(axisLetters([[0.6, 0.8, 0]])).toBeNull();
});
