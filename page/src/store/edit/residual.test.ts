import { expect, it } from "vitest";
import { badness, residualColor } from "./residual";

it("are met or not by colour", () => {
  expect(badness(0, 1e-3)).toBe(0);
  expect(badness(1e-3, 1e-3)).toBe(0);
  expect(badness(0.01, 1e-3)).toBeGreaterThan(0.25);
  expect(badness(10, 1e-3)).toBe(1);
  expect(badness(Number.NaN, 1e-3)).toBe(0);
  expect(residualColor(0, 1e-3)).toBe("var(--good)");
  expect(residualColor(5, 1e-3)).toContain("--bad");
});
