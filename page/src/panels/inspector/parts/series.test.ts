import { describe, expect, it } from "vitest";
import { sampleCurves, PlotSeries, findSpan } from "./series";

const joints = [
  { name: "a", v: 0, nv: 1 },
  { name: "b", v: 1, nv: 2 },
];
const at = (time: number, ...effort: number[]) => ({ time, height: time, kinetic: 1, potential: 2, realTime: 3, effort: new Float32Array(effort) });

describe("Series", () => {
  it("keeps the largest effort of each joint", () => {
    const series = new PlotSeries();
    series.push(at(0, 1, -5, 2), joints);
    expect(series.effort.get("b")).toEqual([5]);
    expect(series.hardest(1)).toEqual(["b"]);
  });
  it("forgets the old future when another one begins", () => {
    const series = new PlotSeries();
    for (const time of [0, 0.1, 0.2, 0.3]) series.push(at(time, 0, 0, 0), joints);
    series.push(at(0.15, 0, 0, 0), joints);
    expect(series.time).toEqual([0, 0.1, 0.15]);
    expect(series.height).toHaveLength(3);
    expect(series.effort.get("a")).toHaveLength(3);
  });
  it("does not grow without end", () => {
    const series = new PlotSeries();
    for (let k = 0; k < 20_000; k++) series.push(at(k * 0.01, 0, 0, 0), joints);
    expect(series.time.length).toBeLessThanOrEqual(6000);
    expect(series.time[0]).toBe(0);
    expect(series.time.at(-1)).toBeCloseTo(199.99);
    expect(series.height.length).toBe(series.time.length);
    expect(series.time.every((time, k) => k === 0 || time > (series.time[k - 1] as number))).toBe(true);
  });
  it("takes the record, and keeps energies seen live where they fit", () => {
    const series = new PlotSeries();
    series.push(at(0.5, 1, 1, 1), joints);
    series.push(at(0.6, 1, 1, 1), joints);
    series.replace({ time: [0, 0.55], height: [9, 8], effort: { a: [-4, 2] } });
    expect(series.height).toEqual([9, 8]);
    expect(series.kinetic).toEqual([null, 1]);
    expect(series.effort.get("a")).toEqual([4, 2]);
    expect(series.effort.has("b")).toBe(false);
  });
  it("knows no energy where none was told", () => {
    const series = new PlotSeries();
    series.push({ ...at(0, 1, 1, 1), kinetic: Number.NaN, potential: Number.NaN }, joints);
    expect(series.kinetic).toEqual([null]);
    expect(series.potential).toEqual([null]);
  });
  it("fills in for a joint that comes later", () => {
    const series = new PlotSeries();
    series.push(at(0, 1), joints.slice(0, 1));
    series.push(at(1, 1, 2, 3), joints);
    expect(series.effort.get("b")).toEqual([null, 3]);
  });
});

it("samples only what was seen nearby", () => {
  expect(sampleCurves([], [], [1])).toEqual([null]);
  expect(sampleCurves([0, 1], [5, 6], [0.05, 0.5, 1.05])).toEqual([null, null, 6]);
  expect(sampleCurves([0.5], [5], [0.3, 0.45, 0.55, 0.7])).toEqual([null, 5, 5, null]);
  expect(sampleCurves([0, 0.2, 0.4], [0, 2, null], [0.1, 0.2, 0.35])).toEqual([1, 2, null]);
});

it("shows all, or a stretch around the playhead", () => {
  expect(findSpan(0, 5, 2)).toEqual([0, 5]);
  expect(findSpan(0, 100, 0)).toEqual([0, 12]);
  expect(findSpan(0, 100, 100)).toEqual([88, 100]);
  const [start, end] = findSpan(0, 100, 50);
  expect(start).toBeLessThan(50);
  expect(end - start).toBe(12);
  expect(findSpan(3, 3, 3)).toEqual([3, 4]);
});
