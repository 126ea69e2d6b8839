/** One small chart. Colours come from the theme, a line marks the moment that is looked at, a click goes to one. */

import uPlot from "uplot";

export interface Curve {
  label: string;
  /** Name of a colour of the theme, such as "--accent". */
  color: string;
}

interface ChartOptions {
  curves: Curve[];
  /** Written at the values. */
  unit: string;
  /** Keep zero in sight. */
  zero: boolean;
  times: boolean;
  playhead: () => number;
  onHover: (index: number | null) => void;
  onSeek: (time: number) => void;
}

export const PLAIN_HEIGHT = 64;
export const TIMES_HEIGHT = 82;

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function createChart(node: HTMLElement, options: ChartOptions): uPlot {
  const font = `10px ${token("--font")}`;
  const axis = { stroke: token("--text-3"), font, ticks: { show: false }, grid: { stroke: token("--line"), width: 1 } };
  const plot = new uPlot(
    {
      width: Math.max(node.clientWidth, 120),
      height: options.times ? TIMES_HEIGHT : PLAIN_HEIGHT,
      padding: [6, 8, options.times ? 0 : 4, 0],
      legend: { show: false },
      cursor: { sync: { key: "stringless" }, y: false, points: { size: 5 }, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: (_, low, high) => range(low, high, options.zero) } },
      axes: [
        { ...axis, show: options.times, size: 20, gap: 2, space: 60, values: (_, ticks) => ticks.map((tick) => `${Number(tick.toFixed(2))} s`) },
        { ...axis, size: 42, gap: 4, space: 26, values: (_, ticks) => ticks.map(short) },
      ],
      series: [
        {},
        ...options.curves.map(({ label, color }) => ({ label, stroke: token(color), width: 1.5, points: { show: false }, spanGaps: false })),
      ],
      hooks: {
        setCursor: [(self) => options.onHover(self.cursor.idx ?? null)],
        draw: [(self) => drawPlayhead(self, options.playhead(), token("--accent"))],
      },
    },
    [[], ...options.curves.map(() => [])],
    node,
  );
  plot.over.addEventListener("click", (event) => options.onSeek(plot.posToVal(event.offsetX, "x")));
  return plot;
}

/** The smallest range that is shown: below it a curve is as good as flat, and its numbers are noise. */
const LEAST = 0.01;

/** A little room above and below; never a range of nothing. */
export function range(low: number | null, high: number | null, zero: boolean): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const bottom = zero ? Math.min(0, low) : low;
  const top = zero ? Math.max(0, high) : high;
  const room = Math.max((top - bottom) * 0.08, Math.abs(top) * 1e-3, (LEAST - (top - bottom)) / (zero ? 1 : 2));
  return [zero && bottom === 0 ? 0 : bottom - room, top + room];
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 10_000 || (size > 0 && size < 1e-3)) return value.toExponential(0).replace("e+", "e");
  return String(Number(value.toPrecision(3)));
}

function drawPlayhead(plot: uPlot, time: number, color: string): void {
  const { left, top, width, height } = plot.bbox;
  const x = plot.valToPos(time, "x", true);
  if (!(x >= left && x <= left + width)) return;
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + height);
  ctx.stroke();
  ctx.restore();
}
