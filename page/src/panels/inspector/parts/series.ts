/** Numbers over time for the plots: from the record where there is one, from frames as they come. */

interface Sample {
  time: number;
  height: number;
  kinetic: number;
  potential: number;
  realTime: number;
  effort: Float32Array;
}

export interface Curves {
  time: number[];
  height: number[];
  effort: Record<string, number[]>;
  kinetic?: number[];
  potential?: number[];
}

/** What was seen so much earlier or later is still told of a moment [s]. */
const NEAR = 0.1;
/** As many as can be drawn and kept without a thought. */
const MOST = 6000;
/** Closer ones would be drawn on top of each other [s]. */
const CLOSEST = 1 / 120;

export class PlotSeries {
  readonly time: number[] = [];
  readonly height: number[] = [];
  readonly kinetic: (number | null)[] = [];
  readonly potential: (number | null)[] = [];
  readonly realTime: (number | null)[] = [];
  /** Of each joint, its largest effort. */
  readonly effort = new Map<string, (number | null)[]>();

  private get columns(): (number | null)[][] {
    return [this.height, this.kinetic, this.potential, this.realTime, ...this.effort.values()];
  }

  clear(): void {
    this.time.length = 0;
    for (const column of this.columns) column.length = 0;
  }

  /** Add a moment. One that lies before the last means another future begins: what came after it is forgotten. */
  push(sample: Sample, joints: readonly { name: string; v: number; nv: number }[]): void {
    this.cut(sample.time);
    const last = this.time.at(-1);
    if (last !== undefined && sample.time - last < CLOSEST) return;
    this.time.push(sample.time);
    this.height.push(sample.height);
    // Of moments on record nobody knows how fast the flesh moved.
    this.kinetic.push(finite(sample.kinetic));
    this.potential.push(finite(sample.potential));
    this.realTime.push(sample.realTime >= 0 ? sample.realTime : null);
    for (const { name, v, nv } of joints) this.column(name).push(largest(sample.effort, v, nv));
    if (this.time.length > MOST) this.thin();
  }

  /** Forget everything after a time. */
  cut(time: number): void {
    let keep = this.time.length;
    while (keep > 0 && (this.time[keep - 1] as number) > time + 1e-9) keep -= 1;
    if (keep === this.time.length) return;
    this.time.length = keep;
    for (const column of this.columns) column.length = keep;
  }

  /** Take what is on record; of what it does not hold, the values seen live stay where they fit. */
  replace(curves: Curves): void {
    const before = { time: [...this.time], kinetic: [...this.kinetic], potential: [...this.potential], realTime: [...this.realTime] };
    this.clear();
    this.effort.clear();
    this.time.push(...curves.time);
    this.height.push(...curves.height);
    this.kinetic.push(...(curves.kinetic ?? sampleCurves(before.time, before.kinetic, curves.time)));
    this.potential.push(...(curves.potential ?? sampleCurves(before.time, before.potential, curves.time)));
    this.realTime.push(...sampleCurves(before.time, before.realTime, curves.time));
    for (const [name, values] of Object.entries(curves.effort)) this.effort.set(name, values.map(Math.abs));
  }

  /** The joints that work hardest, best first. */
  hardest(count: number): string[] {
    const peaks = [...this.effort].map(([name, values]) => ({ name, peak: values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0) }));
    return peaks
      .sort((a, b) => b.peak - a.peak)
      .slice(0, count)
      .map(({ name }) => name);
  }

  private column(name: string): (number | null)[] {
    let column = this.effort.get(name);
    if (!column) {
      column = Array.from({ length: this.time.length - 1 }, () => null);
      this.effort.set(name, column);
    }
    return column;
  }

  /** Every second moment goes. */
  private thin(): void {
    for (const column of [this.time as (number | null)[], ...this.columns]) {
      for (let k = 0; 2 * k < column.length; k++) column[k] = column[2 * k] as number | null;
      column.length = Math.ceil(column.length / 2);
    }
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function largest(effort: Float32Array, v: number, nv: number): number {
  let most = 0;
  for (let k = v; k < v + nv; k++) most = Math.max(most, Math.abs(effort[k] ?? 0));
  return most;
}

/** Values at other times, on the straight line between two that were seen; none where nothing was seen nearby. */
export function sampleCurves(time: readonly number[], values: readonly (number | null)[], at: readonly number[]): (number | null)[] {
  let k = 0;
  return at.map((moment) => {
    while (k + 1 < time.length && (time[k + 1] as number) <= moment) k += 1;
    const [before, after] = [time[k], time[k + 1]];
    const [low, high] = [values[k] ?? null, values[k + 1] ?? null];
    if (before === undefined || low === null || moment < before - NEAR) return null;
    if (after === undefined || high === null || moment < before) return Math.abs(moment - before) <= NEAR ? low : null;
    return after - before <= 5 * NEAR ? low + ((high - low) * (moment - before)) / (after - before) : null;
  });
}

/** The stretch of time that is shown: all of it, or as much as can be read around the playhead. */
export function findSpan(begin: number, end: number, now: number, widest = 12): [number, number] {
  if (!(end > begin)) return [begin, begin + 1];
  if (end - begin <= widest) return [begin, end];
  const start = Math.min(Math.max(now - 0.7 * widest, begin), end - widest);
  return [start, start + widest];
}
