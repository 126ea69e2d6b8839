/** The part of time that is in sight, and where it lies on the screen. */

export interface View {
  /** At the left and right edge [s]. */
  from: number;
  to: number;
}

/** The least and the most that can be in sight [s]. */
const CLOSEST = 0.02;
const FARTHEST = 4 * 3600;
/** An empty or short take is shown with this much room [s]. */
const ROOM = 4;
/** While live, a take that is longer than this is not squeezed any more: the view turns pages instead [s]. */
export const PAGE = 20;

export function toPixel(view: View, width: number, time: number): number {
  return ((time - view.from) / (view.to - view.from)) * width;
}

export function toTime(view: View, width: number, pixel: number): number {
  return view.from + (pixel / width) * (view.to - view.from);
}

/** All of a record in sight, with a little air on both sides. */
export function fitView(begin: number, end: number): View {
  const span = Math.max(ROOM, (end - begin) * 1.06);
  return { from: begin - span * 0.015, to: begin + span };
}

/** Closer by a factor, with a time staying where it is on the screen. */
export function zoomView(view: View, factor: number, about: number): View {
  const span = view.to - view.from;
  const wanted = Math.min(FARTHEST, Math.max(CLOSEST, span / factor));
  const share = (about - view.from) / span;
  return { from: about - share * wanted, to: about + (1 - share) * wanted };
}

export function panView(view: View, seconds: number): View {
  return { from: view.from + seconds, to: view.to + seconds };
}

/** Keep the record within reach: at least a fifth of the view shows some of it. */
export function boundView(view: View, begin: number, end: number): View {
  const air = (view.to - view.from) * 0.8;
  const low = begin - air;
  const high = Math.max(end, begin + ROOM) + air;
  if (view.from < low) return panView(view, low - view.from);
  if (view.to > high) return panView(view, Math.min(0, high - view.to));
  return view;
}

/** Turn the page when a time has left the view, or is about to. */
export function followTime(view: View, time: number): View {
  const span = view.to - view.from;
  if (time >= view.from && time <= view.to - span * 0.02) return view;
  return panView(view, time - span * 0.12 - view.from);
}

/** Spacing of ticks: 1, 2 or 5 times a power of ten, then minutes; no closer than `least` pixels. */
export function tickSpacing(view: View, width: number, least: number): number {
  const wanted = ((view.to - view.from) / width) * least;
  const long = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
  if (wanted > 5) return long.find((step) => step >= wanted) ?? 3600 * Math.ceil(wanted / 3600);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5, 10].find((step) => step * power >= wanted * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** How many small ticks divide a large one. */
export function subdivisions(spacing: number): number {
  if (spacing >= 60) return 6;
  if (spacing === 15 || spacing === 30) return 3;
  const lead = Math.round(spacing / 10 ** Math.floor(Math.log10(spacing * 1.0001)));
  return lead === 2 ? 4 : 5;
}

/** Times of the ticks in sight. */
export function ticks(view: View, spacing: number): number[] {
  const found: number[] = [];
  for (let k = Math.ceil(view.from / spacing - 1e-9); k * spacing <= view.to; k++) found.push(k * spacing);
  return found;
}

/** A time on the ruler: as many digits as the spacing needs. */
export function tickLabel(time: number, spacing: number): string {
  const digits = spacing >= 1 ? 0 : Math.min(4, Math.ceil(-Math.log10(spacing) - 1e-9));
  // Zero may come out of a sum as a tiny negative number.
  const clean = Math.abs(time) < spacing / 1000 ? 0 : time;
  if (spacing < 10 && Math.abs(clean) < 60) return `${clean.toFixed(digits)} s`;
  return formatTime(clean, digits);
}

/** Minutes and seconds, hours if there are any. */
export function formatTime(time: number, digits = 0): string {
  const sign = time < 0 ? "−" : "";
  const size = Number(Math.abs(time).toFixed(digits));
  const hours = Math.floor(size / 3600);
  const minutes = Math.floor(size / 60) % 60;
  const seconds = (size % 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  return hours ? `${sign}${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${sign}${minutes}:${seconds}`;
}
