import { describe, expect, it } from "vitest";
import type { Vec } from "../../geometry/vectors";
import { findSide } from "./bounds";

describe("the side of a path", () => {
  const line = (dx: number, dz: number): Vec[] => [0, 1, 2, 3].map((k) => [k * dx, Math.sin(k), k * dz]);
  /** To the right in a picture that is looked at from an azimuth. */
  const rightward = (azimuth: number, [x, , z]: Vec) => Math.cos(azimuth) * x - Math.sin(azimuth) * z;

  it.each([[1, 0], [-1, 0], [0, 1], [0, -1], [2, 1], [-1, 3]])("shows it from left to right, toward %d, %d", (dx, dz) => {
    const side = findSide(line(dx, dz), line(dx, dz)) as number;
    expect(rightward(side, [dx, 0, dz])).toBeCloseTo(Math.hypot(dx, dz));
  });

  it("is none of what goes nowhere, or round and round", () => {
    expect(findSide(line(0, 0), line(0, 0))).toBeNull();
    const ring = Array.from({ length: 12 }, (_, k): Vec => [Math.cos((k * Math.PI) / 6), 0, Math.sin((k * Math.PI) / 6)]);
    expect(findSide(ring, ring)).toBeNull();
  });
});
