import { describe, expect, it } from "vitest";
import { forceArrow, formatForce } from "./force";
import { norm, type Vec } from "./vectors";

const length = (newtons: number) => norm(forceArrow([0, newtons, 0], 100, 1.2) as Vec);

describe("the arrow of a force", () => {
  it("points where the force does and grows with it, up to a bound", () => {
    const arrow = forceArrow([3, 0, 4], 100, 1.2) as Vec;
    expect(arrow[0] / arrow[2]).toBeCloseTo(0.75);
    expect(length(10)).toBeLessThan(length(20));
    expect(length(50)).toBeCloseTo(0.6);
    expect(length(1e3)).toBeLessThan(length(1e6));
    expect(length(1e6)).toBeLessThan(1.2);
  });

  it("is not there if there is hardly any, or none that could be told", () => {
    expect(forceArrow([0, 0.1, 0], 100, 2)).toBeNull();
    expect(forceArrow([0, 0, 0], 0, 2)).toBeNull();
    expect(forceArrow([Number.NaN, 0, 0], 100, 2)).toBeNull();
  });
});

it("forces are said in as many digits as can be read", () => {
  const said = [0.04, 3.21, 9.96, 57.4, 999.4, 999.6, 1234, 9960, 12345].map(formatForce);
  expect(said).toEqual(["0.0 N", "3.2 N", "10 N", "57 N", "999 N", "1.0 kN", "1.2 kN", "10 kN", "12 kN"]);
});
