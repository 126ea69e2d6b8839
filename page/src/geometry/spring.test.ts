import { describe, expect, it } from "vitest";
import { springLine } from "./spring";
import { distance, dot, sub, type Vec } from "./vectors";

describe("a spring", () => {
  const [from, to, forward]: [Vec, Vec, Vec] = [[0, 0, 0], [0, 2, 0], [0, 0, -1]];

  it("leads from one end to the other, to both sides of the way between, in the plane of the picture", () => {
    const line = springLine(from, to, forward, 0.2);
    expect(line[0]).toEqual(from);
    expect(line.at(-1)).toEqual(to);
    const aside = line.map(([x]) => x);
    expect(Math.max(...aside)).toBeCloseTo(0.1);
    expect(Math.min(...aside)).toBeCloseTo(-0.1);
    expect(line.every((point) => Math.abs(dot(sub(point, from), forward)) < 1e-12)).toBe(true);
    for (let k = 1; k < line.length; k++) expect(line[k]![1]).toBeGreaterThan(line[k - 1]![1]);
  });

  it("that is looked at from its end is a straight line", () => {
    expect(springLine(from, [0, 0, -1], forward, 0.2)).toHaveLength(2);
    expect(distance(...(springLine(from, from, forward, 0.2) as [Vec, Vec]))).toBe(0);
  });
});
