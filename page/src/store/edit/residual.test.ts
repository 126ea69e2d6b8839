import { expect, it } from "vitest";
import { findSeverity, colorResidual } from "./residual";

it("are met or not by colour", () => {
  expect(findSeverity(0, 1e-3)).toBe(0);
  expect(findSeverity(1e-3, 1e-3)).toBe(0);
  expect(findSeverity(0.01, 1e-3)).toBeGreaterThan(0.25);
  expect(findSeverity(10, 1e-3)).toBe(1);
  expect(findSeverity(Number.NaN, 1e-3)).toBe(0);
  expect(colorResidual(0, 1e-3)).toBe("var(--good)");
  expect(colorResidual(5, 1e-3)).toContain("--bad");
});
