/** Draws ruler and lanes. Only what is in sight is touched, so an hour costs no more than a second. */

import type { BranchRow } from "../../store/timeline/branches";
import { subdivisions, tickLabel, ticks, tickSpacing, toPixel, type View } from "../../store/timeline/scale";
import { spanColor, type Piece } from "./spans";

export const RULER = 24;
export const ROW = 22;
const BAR = 10;

/** How many rows of keyframes stay under the ruler while the lanes scroll; more than two would leave no room for lanes. */
export function pinned(trackRows: number): number {
  return trackRows <= 2 ? trackRows : 0;
}

export interface Picture {
  view: View;
  width: number;
  height: number;
  scroll: number;
  /** Rows of keyframes above the lanes. */
  trackRows: number;
  rows: BranchRow[];
  story: Map<number, number>;
  looked: number | null;
  /** End of the lane that grows just now. */
  until: number;
  pieces: Piece[];
  range: [number, number] | null;
  /** What is looked ahead at [s]; null if nothing is. */
  ahead: [number, number] | null;
  /** On which lanes, and from when on, the record does not show what would happen now. */
  stale: { lane: number; from: number }[];
}

type Colors = (name: string) => string;

/** Tokens of the palette as colours that a canvas understands; read once for each look of the page. */
export function readPalette(): Colors {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (name) => {
    let color = known.get(name);
    if (color === undefined) known.set(name, (color = style.getPropertyValue(`--${name}`).trim()));
    return color;
  };
}

type Context = CanvasRenderingContext2D;

export function paintTimeline(context: Context, picture: Picture, colors: Colors): void {
  const { width, height } = picture;
  context.clearRect(0, 0, width, height);
  const spacing = tickSpacing(picture.view, width, 72);
  context.save();
  context.beginPath();
  context.rect(0, RULER, width, height - RULER);
  context.clip();
  paintGrid(context, picture, colors, spacing);
  paintAhead(context, picture, colors);
  const still = pinned(picture.trackRows) * ROW;
  context.beginPath();
  context.rect(0, RULER + still, width, height - RULER - still);
  context.clip();
  context.translate(0, RULER - picture.scroll);
  for (const row of picture.rows) paintConnector(context, picture, colors, row);
  for (const row of picture.rows) paintLane(context, picture, colors, row);
  for (const piece of picture.pieces) paintPiece(context, picture, colors, piece);
  for (const stale of picture.stale) paintStale(context, picture, colors, stale);
  context.restore();
  paintRange(context, picture, colors);
  paintRuler(context, picture, colors, spacing);
}

/** Top of a lane's bar, within the rows. */
function barTop(picture: Picture, row: number): number {
  return (picture.trackRows + row) * ROW + (ROW - BAR) / 2;
}

function inSight(picture: Picture, row: number): boolean {
  const top = (picture.trackRows + row) * ROW - picture.scroll;
  return top > -ROW && top < picture.height - RULER;
}

function paintGrid(context: Context, picture: Picture, colors: Colors, spacing: number): void {
  context.fillStyle = colors("line");
  context.globalAlpha = 0.55;
  for (const time of ticks(picture.view, spacing)) {
    context.fillRect(Math.round(toPixel(picture.view, picture.width, time)), RULER, 1, picture.height);
  }
  context.globalAlpha = 1;
}

function paintAhead(context: Context, picture: Picture, colors: Colors): void {
  if (!picture.ahead) return;
  const [from, to] = picture.ahead.map((time) => toPixel(picture.view, picture.width, time)) as [number, number];
  const fade = context.createLinearGradient(from, 0, Math.max(to, from + 1), 0);
  fade.addColorStop(0, withAlpha(colors("ahead"), 0.22));
  fade.addColorStop(1, withAlpha(colors("ahead"), 0.05));
  context.fillStyle = fade;
  context.fillRect(from, RULER, to - from, picture.height);
}

function paintRange(context: Context, picture: Picture, colors: Colors): void {
  if (!picture.range) return;
  const [from, to] = picture.range.map((time) => toPixel(picture.view, picture.width, time)) as [number, number];
  context.fillStyle = withAlpha(colors("panel"), 0.6);
  context.fillRect(0, RULER, Math.max(0, from), picture.height);
  context.fillRect(to, RULER, Math.max(0, picture.width - to), picture.height);
}

function paintRuler(context: Context, picture: Picture, colors: Colors, spacing: number): void {
  const { view, width } = picture;
  const small = spacing / subdivisions(spacing);
  context.fillStyle = colors("text-3");
  context.globalAlpha = 0.5;
  for (const time of ticks(view, small)) context.fillRect(Math.round(toPixel(view, width, time)), RULER - 4, 1, 4);
  context.globalAlpha = 1;
  context.font = `500 11px "Inter Variable", system-ui, sans-serif`;
  context.textBaseline = "alphabetic";
  for (const time of ticks({ from: view.from - spacing, to: view.to }, spacing)) {
    const x = Math.round(toPixel(view, width, time));
    context.fillStyle = colors("text-3");
    context.fillRect(x, RULER - 8, 1, 8);
    context.fillStyle = colors("text-2");
    context.fillText(tickLabel(time, spacing), x + 5, RULER - 10);
  }
  context.fillStyle = colors("line");
  context.fillRect(0, RULER - 1, width, 1);
}

function laneEnd(picture: Picture, row: BranchRow): number {
  return row.lane.id === picture.looked ? Math.max(row.lane.end, picture.until) : row.lane.end;
}

function paintConnector(context: Context, picture: Picture, colors: Colors, row: BranchRow): void {
  if (row.parentRow < 0) return;
  const x = Math.round(toPixel(picture.view, picture.width, row.lane.start)) + 0.5;
  if (x < -10 || x > picture.width + 10) return;
  const bright = picture.story.has(row.lane.id);
  const top = barTop(picture, row.parentRow) + BAR / 2;
  const bottom = barTop(picture, row.row) + BAR / 2;
  context.strokeStyle = bright ? colors("text-2") : colors("text-3");
  context.lineWidth = 1.5;
  context.globalAlpha = bright ? 0.9 : 0.6;
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x, bottom - 5);
  context.quadraticCurveTo(x, bottom, x + 5, bottom);
  context.stroke();
  context.globalAlpha = 1;
}

function paintLane(context: Context, picture: Picture, colors: Colors, row: BranchRow): void {
  if (!inSight(picture, row.row)) return;
  const { view, width } = picture;
  const top = barTop(picture, row.row);
  const first = row.parentRow < 0 ? row.lane.begin : row.lane.start;
  const start = toPixel(view, width, first);
  const end = toPixel(view, width, laneEnd(picture, row));
  context.fillStyle = colors("panel-3");
  bar(context, width, start, end, top);
  const until = picture.story.get(row.lane.id);
  if (until === undefined) return;
  context.fillStyle = colors("directed");
  const whole = row.lane.id === picture.looked;
  bar(context, width, start, whole ? end : toPixel(view, width, until), top);
}

function paintPiece(context: Context, picture: Picture, colors: Colors, piece: Piece): void {
  const row = picture.rows.find((one) => one.lane.id === piece.lane);
  if (!row || !inSight(picture, row.row)) return;
  const start = toPixel(picture.view, picture.width, piece.start);
  const end = toPixel(picture.view, picture.width, piece.end);
  context.fillStyle = colors(spanColor(piece.kind));
  bar(context, picture.width, start, Math.max(end, start + 2), barTop(picture, row.row));
}

function paintStale(context: Context, picture: Picture, colors: Colors, stale: Picture["stale"][number]): void {
  const row = picture.rows.find((one) => one.lane.id === stale.lane);
  if (!row) return;
  const top = barTop(picture, row.row);
  const left = Math.max(0, toPixel(picture.view, picture.width, stale.from));
  const right = Math.min(picture.width, toPixel(picture.view, picture.width, laneEnd(picture, row)));
  if (right <= left) return;
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, BAR);
  context.clip();
  context.strokeStyle = colors("panel");
  context.lineWidth = 2;
  context.beginPath();
  // The lines stay where they are while the view moves over them.
  for (let x = Math.floor(left / 6) * 6 - BAR; x < right; x += 6) {
    context.moveTo(x, top + BAR);
    context.lineTo(x + BAR, top);
  }
  context.stroke();
  context.restore();
}

function bar(context: Context, width: number, start: number, end: number, top: number): void {
  const [left, right] = [Math.max(-8, start), Math.min(width + 8, end)];
  if (right <= left) return;
  context.beginPath();
  context.roundRect(left, top, right - left, BAR, Math.min(3, (right - left) / 2));
  context.fill();
}

/** The same colour, but to be seen through. */
function withAlpha(color: string, alpha: number): string {
  const digits = Math.round(alpha * 255).toString(16).padStart(2, "0");
  const long = color.length === 4 ? color.replace(/[^#]/g, "$&$&") : color;
  return `${long.slice(0, 7)}${digits}`;
}
