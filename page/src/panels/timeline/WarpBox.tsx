/** Over the branch that is shown: the stretch of commands that is made longer or shorter, by its edge or by a number. */

import { useEffect, useRef } from "preact/hooks";
import { findCommand, runCommand } from "../../commands/registry";
import { doc, status } from "../../store";
import { Button, IconButton, NumberField, tip } from "../../ui";
import { findLineage, type BranchRow } from "../../store/timeline/branches";
import { fitView, toPixel, toTime, type View } from "../../store/timeline/scale";
import { findRecorded, range, showTimes } from "../../store/timeline/state";
import { boundFactor, factorTo, findStretch, LEAST_FACTOR, MOST_FACTOR, warpFactor, warpTime, type Stretch } from "../../store/timeline/warp";
import { ROW, RULER } from "./painting";
import { layOutSpans, spanColor } from "./spans";

interface WarpBoxProps {
  view: View;
  width: number;
  rows: BranchRow[];
  scroll: number;
  trackRows: number;
}

export function WarpBox(props: WarpBoxProps) {
  const factor = warpFactor.value;
  if (factor === null || !status.value) return null;
  return <Stretching {...props} factor={factor} stretch={findStretch(range.value, findRecorded())} />;
}

type StretchingProps = WarpBoxProps & { factor: number; stretch: Stretch };

function Stretching({ view, width, rows, scroll, trackRows, factor, stretch }: StretchingProps) {
  const [start, end] = stretch;
  const last = warpTime(stretch, factor, end);
  const [left, right, old] = [start, last, end].map((time) => toPixel(view, width, time)) as [number, number, number];
  const row = rows.findIndex((one) => one.lane.id === status.value?.lane);
  const top = RULER + (trackRows + row) * ROW - scroll;
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    warpFactor.value = null;
  };
  return (
    <div class="warp" data-testid="warp" onKeyDown={close}>
      <div class="warp-stretch" style={{ left: `${left}px`, width: `${Math.max(2, right - left)}px` }} />
      <div class="warp-old" style={{ left: `${old}px` }} />
      {row >= 0 && top > RULER && <Preview {...{ view, width, factor, stretch, top }} />}
      <Edge view={view} width={width} factor={factor} stretch={stretch} left={right} />
      <Panel view={view} width={width} factor={factor} stretch={stretch} left={left} />
    </div>
  );
}

/** What acted when, at the times that it would have. */
function Preview({ view, width, factor, stretch, top }: { view: View; width: number; factor: number; stretch: Stretch; top: number }) {
  const lanes = doc.value?.lanes ?? [];
  const [begin, until] = findRecorded();
  const story = findLineage(lanes, status.value?.lane ?? null);
  const pieces = layOutSpans(doc.value?.spans ?? [], lanes, story, until, { from: begin, to: until });
  const place = (from: number, to: number) => {
    const [left, right] = [from, to].map((time) => toPixel(view, width, warpTime(stretch, factor, time))) as [number, number];
    return { left: `${left}px`, width: `${Math.max(1, right - left)}px` };
  };
  return (
    <div class="warp-preview" style={{ top: `${top}px`, height: `${ROW}px` }}>
      <i style={{ ...place(stretch[0], until), background: "var(--directed)" }} />
      {pieces
        .filter((piece) => piece.end > stretch[0])
        .map((piece, index) => (
          <i key={index} style={{ ...place(Math.max(piece.start, stretch[0]), piece.end), background: `var(--${spanColor(piece.kind)})` }} />
        ))}
    </div>
  );
}

/** Bring the end of the stretch into sight, if it has left that to the right. */
function showEnd(view: View, end: number): void {
  if (end > view.to) showTimes(fitView(view.from, end));
}

/** The edge of the stretch: drag it to make everything in it slower or faster. */
function Edge({ view, width, factor, stretch, left }: { view: View; width: number; factor: number; stretch: Stretch; left: number }) {
  const edge = useRef<HTMLDivElement>(null);
  const held = useRef<{ x: number; from: number; view: View } | null>(null);
  const [, end] = stretch;
  useEffect(() => edge.current?.focus(), []);
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    held.current = { x: event.clientX, from: warpTime(stretch, factor, end), view };
  };
  const move = (event: PointerEvent) => {
    const drag = held.current;
    if (!drag) return;
    event.stopPropagation();
    warpFactor.value = factorTo(stretch, drag.from + toTime(drag.view, width, event.clientX - drag.x) - drag.view.from);
  };
  const up = () => {
    held.current = null;
    showEnd(view, warpTime(stretch, warpFactor.value ?? 1, end));
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) warpFactor.value = boundFactor(factor + step * (event.shiftKey ? 0.1 : 0.01));
    else if (event.key === "Enter") runCommand("time.warpApply");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={edge}
      class="warp-edge"
      {...tip({ title: "End of the stretch", help: "Drag it: later is slower, earlier is faster. Enter simulates them.", side: "top" })}
      role="slider"
      tabIndex={0}
      aria-valuemin={LEAST_FACTOR}
      aria-valuemax={MOST_FACTOR}
      aria-valuenow={factor}
      aria-valuetext={`${factor} times as long`}
      data-testid="warp-edge"
      style={{ left: `${left}px` }}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onKeyDown={key}
    />
  );
}

const PANEL = 316;

/** The factor as a number, how long the stretch is and will be, and what to do. */
function Panel({ view, width, factor, stretch, left }: { view: View; width: number; factor: number; stretch: Stretch; left: number }) {
  const [start, end] = stretch;
  const blocked = findCommand("time.warpApply").blocked?.();
  const inside = (event: Event) => event.stopPropagation();
  return (
    <div
      class="warp-panel"
      role="group"
      aria-label="Stretch commands"
      style={{ left: `${Math.max(4, Math.min(left, width - PANEL - 4))}px` }}
      onPointerDown={inside}
      onDblClick={inside}
    >
      <NumberField
        label="Factor"
        help="How many times as long the commands take: above 1 is slower. Drag sideways, or click and type."
        value={factor}
        min={LEAST_FACTOR}
        max={MOST_FACTOR}
        step={0.05}
        log
        unit="×"
        digits={3}
        testid="warp-factor"
        onInput={(value) => (warpFactor.value = boundFactor(value))}
        onCommit={(value) => showEnd(view, warpTime(stretch, boundFactor(value), end))}
      />
      <span class="warp-lengths" data-testid="warp-lengths">
        {(end - start).toFixed(2)} → <b>{(factor * (end - start)).toFixed(2)} s</b>
      </span>
      <Button kind="primary" testid="warp-apply" blocked={blocked} help={findCommand("time.warpApply").help} keys="Enter" onClick={() => runCommand("time.warpApply")}>
        Simulate
      </Button>
      <IconButton icon="close" size={24} label="Stop stretching" keys="Esc" testid="warp-close" onClick={() => (warpFactor.value = null)} />
    </div>
  );
}
