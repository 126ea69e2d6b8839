/** Numbers that a person sets: kept in range, on a grid, and written without noise. */

export interface NumberRange {
  min?: number | undefined;
  max?: number | undefined;
  /** Smallest change; no grid if not given. */
  step?: number | undefined;
}

export function clampNumber(value: number, { min = -Infinity, max = Infinity, step }: NumberRange): number {
  const gridded = step ? Math.round(value / step) * step : value;
  // The grid may lie just outside; 12 digits drop what binary fractions add.
  return Number(Math.min(max, Math.max(min, gridded)).toPrecision(12));
}

/** As short as four digits allow: 0.25, 1200, 1.5e-6. */
export function formatNumber(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(Math.max(0, digits - 2)).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size + 1))))));
}

/** What may be typed, in words: "1 to 1000 kPa". */
export function describeRange({ min = -Infinity, max = Infinity }: NumberRange, unit = ""): string {
  const [low, high] = [Number.isFinite(min), Number.isFinite(max)];
  const bounds = low && high ? `${formatNumber(min)} to ${formatNumber(max)}` : low ? `at least ${formatNumber(min)}` : high ? `at most ${formatNumber(max)}` : "a number";
  return `${bounds} ${low || high ? unit : ""}`.trim();
}

/** Read what a person typed; null if it is no number. A comma may stand for a point. */
export function parseNumber(text: string): number | null {
  const clean = text.trim().replace(",", ".").replace("−", "-");
  if (clean === "") return null;
  const value = Number(clean);
  return Number.isFinite(value) ? value : null;
}

/** What dragging by some pixels makes of a value. On a logarithmic scale 200 pixels are a factor of ten. */
export function scrubNumber(from: number, pixels: number, range: NumberRange & { log?: boolean | undefined; speed?: number | undefined }, fine = false): number {
  const way = fine ? pixels / 10 : pixels;
  if (range.log && from > 0) return clampNumber(from * 10 ** (way / 200), { min: range.min, max: range.max });
  const span = (range.max ?? Infinity) - (range.min ?? -Infinity);
  const speed = range.speed ?? (Number.isFinite(span) ? span / 200 : Math.max(range.step ?? 0, Math.abs(from) / 100, 1e-3));
  return clampNumber(from + way * speed, range);
}

/** Place of a value on a slider from 0 to 1, and back. */
export function toSlider(value: number, min: number, max: number, log: boolean): number {
  const share = log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.min(1, Math.max(0, share));
}

export function fromSlider(share: number, min: number, max: number, log: boolean): number {
  return log ? min * (max / min) ** share : min + share * (max - min);
}
