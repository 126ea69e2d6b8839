import { describe, expect, it } from "vitest";
import { boundView, formatTime, fitView, followTime, panView, subdivisions, tickLabel, ticks, tickSpacing, toPixel, toTime, zoomView } from "./scale";

describe("time and pixels", () => {
  const view = { from: 2, to: 6 };

  it("go there and back", () => {
    expect(toPixel(view, 800, 3)).toBe(200);
    for (const x of [-50, 0, 333, 800]) expect(toPixel(view, 800, toTime(view, 800, x))).toBeCloseTo(x, 9);
  });

  it("keep the time under the pointer when zooming", () => {
    const closer = zoomView(view, 3.7, 3);
    expect(toPixel(closer, 800, 3)).toBeCloseTo(toPixel(view, 800, 3), 9);
    expect(closer.to - closer.from).toBeCloseTo(4 / 3.7, 9);
  });

  it("stop at the closest and the farthest look", () => {
    expect(zoomView(view, 1e9, 3).to - zoomView(view, 1e9, 3).from).toBeCloseTo(0.02, 9);
    expect(zoomView(view, 1e-9, 3).to - zoomView(view, 1e-9, 3).from).toBeCloseTo(4 * 3600, 3);
  });

  it("fit everything in, and leave room to a short take", () => {
    const all = fitView(0, 100);
    expect(all.from).toBeLessThan(0);
    expect(all.to).toBeGreaterThan(100);
    expect(fitView(0, 0.1).to).toBeGreaterThanOrEqual(4);
  });
});

describe("following", () => {
  const view = { from: 0, to: 10 };

  it("leaves the view alone while the time is in it", () => {
    expect(followTime(view, 5)).toBe(view);
  });

  it("turns the page when it leaves, forward and back", () => {
    for (const time of [9.95, 25, -3]) {
      const next = followTime(view, time);
      expect(next.to - next.from).toBeCloseTo(10, 9);
      expect(time).toBeGreaterThan(next.from);
      expect(time).toBeLessThan(next.to);
    }
  });

  it("never loses the record out of sight", () => {
    for (const far of [-1e4, 1e4]) {
      const kept = boundView(panView(view, far), 0, 10);
      expect(Math.min(kept.to, 10) - Math.max(kept.from, 0)).toBeGreaterThan(0);
    }
    expect(boundView(view, 0, 10)).toBe(view);
  });
});

describe("ticks", () => {
  it("are 1, 2 or 5 times a power of ten, never closer than asked", () => {
    for (const span of [0.02, 0.07, 0.3, 1, 4, 11, 30]) {
      const spacing = tickSpacing({ from: 0, to: span }, 1000, 70);
      expect((spacing / span) * 1000).toBeGreaterThanOrEqual(70 * (1 - 1e-6));
      expect((spacing / span) * 1000).toBeLessThan(70 * 2.6);
      const lead = Number((spacing / 10 ** Math.floor(Math.log10(spacing) + 1e-9)).toFixed(6));
      expect([1, 2, 5]).toContain(lead);
    }
  });

  it("are whole minutes in a long take", () => {
    expect(tickSpacing({ from: 0, to: 3600 }, 1000, 70)).toBe(300);
    expect(tickSpacing({ from: 0, to: 600 }, 1000, 70)).toBe(60);
  });

  it("are only those in sight", () => {
    expect(ticks({ from: 1.9, to: 4.1 }, 1)).toEqual([2, 3, 4]);
    expect(ticks({ from: 3600, to: 3604 }, 2)).toHaveLength(3);
  });

  it("are divided so that small ones fall on round numbers", () => {
    expect([1, 2, 5, 0.2, 0.05, 30, 60].map(subdivisions)).toEqual([5, 4, 5, 4, 5, 3, 6]);
  });

  it("are written with as many digits as they need", () => {
    expect(tickLabel(0.30000000000000004, 0.1)).toBe("0.3 s");
    expect(tickLabel(-1e-17, 0.1)).toBe("0.0 s");
    expect(tickLabel(2, 1)).toBe("2 s");
    expect(tickLabel(0.02, 0.005)).toBe("0.020 s");
    expect(tickLabel(90, 30)).toBe("1:30");
    expect(tickLabel(65, 5)).toBe("1:05");
  });

  it("tell hours", () => {
    expect(formatTime(3725)).toBe("1:02:05");
    expect(formatTime(59.999, 1)).toBe("1:00.0");
    expect(formatTime(-5, 1)).toBe("−0:05.0");
  });
});
