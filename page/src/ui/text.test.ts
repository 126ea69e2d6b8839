import { expect, it } from "vitest";
import { plain, sentence } from "./text";

it("reads names as words", () => {
  expect(plain("left_upper.arm")).toBe("left upper arm");
  expect(sentence("left arm")).toBe("Left arm");
});
