import { useRef } from "preact/hooks";
import { restartReplay, setRange } from "../../commands/time";
import { tip } from "../../ui";
import { toPixel, toTime, type View } from "../../store/timeline/scale";
import { FRAME_RATE, range, findRecorded } from "../../store/timeline/state";

type Part = "start" | "end" | "both";

/** A range dragged by one of its ends or as a whole; it keeps its length when moved, and some length always. */
export function dragRange([start, end]: [number, number], part: Part, by: number, limits: [number, number]): [number, number] {
  const least = 2 / FRAME_RATE;
  const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
  if (part === "start") return [clamp(start + by, limits[0], end - least), end];
  if (part === "end") return [start, clamp(end + by, start + least, limits[1])];
  const shift = clamp(by, limits[0] - start, Math.max(limits[1] - end, limits[0] - start));
  return [start + shift, end + shift];
}

/** The range that is replayed, as a bar in the ruler that can be dragged. */
export function RangeBar({ view, width }: { view: View; width: number }) {
  const held = useRef<{ part: Part; x: number; from: [number, number] } | null>(null);
  const chosen = range.value;
  if (!chosen) return null;
  const [left, right] = chosen.map((time) => toPixel(view, width, time)) as [number, number];
  if (right < 0 || left > width) return null;

  const down = (part: Part) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    held.current = { part, x: event.clientX, from: chosen };
  };
  const move = (event: PointerEvent) => {
    const drag = held.current;
    if (!drag) return;
    event.stopPropagation();
    const by = toTime(view, width, event.clientX - drag.x) - view.from;
    range.value = dragRange(drag.from, drag.part, by, findRecorded());
  };
  const up = () => {
    if (held.current) restartReplay();
    held.current = null;
  };
  const handlers = (part: Part) => ({ onPointerDown: down(part), onPointerMove: move, onPointerUp: up, onPointerCancel: up });
  const nudge = (part: Part) => (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    setRange(dragRange(chosen, part, (step * (event.shiftKey ? 10 : 1)) / FRAME_RATE, findRecorded()));
  };
  const end = (part: "start" | "end") => (
    <div
      class={`range-end ${part}`}
      {...tip({ title: part === "start" ? "Start of the range" : "End of the range", keys: part === "start" ? "I" : "O", side: "top" })}
      role="slider"
      tabIndex={0}
      aria-valuemin={0}
      aria-valuemax={Math.round(findRecorded()[1] * 1000) / 1000}
      aria-valuenow={Math.round(chosen[part === "start" ? 0 : 1] * 1000) / 1000}
      {...handlers(part)}
      onKeyDown={nudge(part)}
    />
  );
  return (
    <div class="range-bar" data-testid="range" style={{ left: `${left}px`, width: `${right - left}px` }} {...handlers("both")}>
      {end("start")}
      {end("end")}
    </div>
  );
}
