import { expect, it } from "vitest";
import { formatName, capitalize } from "./text";

it("reads names as words", () => {
  expect(formatName("left_upper.arm")).toBe("left upper arm");
  expect(capitalize("left arm")).toBe("Left arm");
});
