import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { effect } from "@preact/signals";
import { runCommand } from "../../commands/registry";
import { setRange } from "../../commands/time";
import { directable, doc, horizon, layers, onFrame, peek, scene, status, theme } from "../../store";
import { KeyMarks } from "./KeyMarks";
import { showBranch } from "./BranchList";
import { findLineage, type BranchRow } from "../../store/timeline/branches";
import { Markers } from "./Markers";
import { paintTimeline, readPalette, pinned, ROW, RULER, type Picture } from "./painting";
import { RangeBar } from "./RangeBar";
import { WarpBox } from "./WarpBox";
import { panView, toPixel, toTime, zoomView } from "../../store/timeline/scale";
import { layOutSpans, spanTitle } from "./spans";
import { chosenKey, fitTimeline, FRAME_RATE, shownTime, range, findRecorded, seek, sendSeek, showTimes, tracks, view } from "../../store/timeline/state";

type Gesture =
  | { kind: "scrub"; lane: number | null }
  | { kind: "pan"; x: number; from: { from: number; to: number } }
  | { kind: "range"; start: number };

/** Ruler, keyframes and lanes: everything that has a place in time. */
export function Area({ rows, scroll, onScroll }: { rows: BranchRow[]; scroll: number; onScroll: (by: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<[number, number]>([800, 100]);
  const [hover, setHover] = useState<{ x: number; text: string } | null>(null);
  const gesture = useRef<Gesture | null>(null);
  const [width] = size;
  const seen = view.value;
  const trackRows = Math.max(1, tracks.value.length);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setSize([element.clientWidth || 1, element.clientHeight || 1]));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const place = element.getBoundingClientRect();
      const way = event.deltaY || event.deltaX;
      const pixels = event.deltaMode === 1 ? way * 16 : way;
      const over = event.clientY - place.top;
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (sideways) showTimes(panView(view.value, ((event.deltaX || pixels) / place.width) * (view.value.to - view.value.from)));
      else if (!event.ctrlKey && !event.metaKey && over > RULER && scrollable(element, rows.length + trackRows)) onScroll(pixels);
      else showTimes(zoomView(view.value, Math.exp(-pixels * 0.002), toTime(view.value, place.width, event.clientX - place.left)));
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [rows.length, trackRows, onScroll]);

  const at = (event: PointerEvent | MouseEvent) => {
    const place = (box.current as HTMLElement).getBoundingClientRect();
    const [x, y] = [event.clientX - place.left, event.clientY - place.top];
    const line = Math.floor((y - RULER + scroll) / ROW);
    const row = y < RULER + pinned(trackRows) * ROW || line < trackRows ? undefined : rows[line - trackRows];
    return { x, y, time: toTime(view.value, place.width, x), row };
  };
  const down = (event: PointerEvent) => {
    const here = at(event);
    box.current?.setPointerCapture(event.pointerId);
    if (event.button === 1) {
      gesture.current = { kind: "pan", x: event.clientX, from: view.value };
      event.preventDefault();
    } else if (event.button === 0 && event.shiftKey && here.y < RULER) {
      gesture.current = { kind: "range", start: here.time };
    } else if (event.button === 0) {
      chosenKey.value = null;
      gesture.current = { kind: "scrub", lane: here.row?.lane.id ?? null };
      scrub(here.time, here.row);
    }
  };
  const scrub = (time: number, row?: BranchRow) => {
    if (row) showBranch(row.lane, time);
    else seek(time);
  };
  const move = (event: PointerEvent) => {
    const here = at(event);
    const doing = gesture.current;
    if (doing?.kind === "pan") {
      const span = doing.from.to - doing.from.from;
      showTimes(panView(doing.from, (-(event.clientX - doing.x) / width) * span));
      return;
    }
    if (doing?.kind === "scrub") scrub(here.time, rows.find((row) => row.lane.id === doing.lane));
    if (doing?.kind === "range") {
      const ends = [doing.start, here.time].map((t) => Math.max(findRecorded()[0], Math.min(findRecorded()[1], t)));
      if (Math.abs(here.time - doing.start) > 2 / FRAME_RATE) range.value = [Math.min(...ends), Math.max(...ends)];
    }
    setHover(event.target === box.current ? { x: here.x, text: said(here.time, here.row) } : null);
  };
  const up = () => {
    sendSeek();
    if (gesture.current?.kind === "range" && range.value) setRange(range.value);
    gesture.current = null;
  };

  return (
    <div
      ref={box}
      class="time-area"
      data-testid="time-area"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onPointerLeave={() => setHover(null)}
      onDblClick={(event) => event.target === box.current && fitTimeline()}
    >
      <Canvas rows={rows} scroll={scroll} size={size} trackRows={trackRows} />
      <RangeBar view={seen} width={width} />
      <WarpBox view={seen} width={width} rows={rows} scroll={scroll} trackRows={trackRows} />
      {tracks.value.length === 0 && directable.value && <span class="key-hint">K keeps the pose you see as a keyframe</span>}
      <KeyMarks view={seen} width={width} scroll={pinned(trackRows) ? 0 : scroll} />
      <Markers view={seen} width={width} />
      <Playhead width={width} />
      {hover && (
        <>
          <div class="hover-line" style={{ transform: `translateX(${Math.round(hover.x)}px)` }} />
          <div class={`hover-label ${hover.x > width - 160 ? "left" : ""}`} style={{ left: `${hover.x}px` }}>
            {hover.text}
          </div>
        </>
      )}
    </div>
  );
}

function scrollable(element: HTMLElement, lines: number): boolean {
  return lines * ROW > element.clientHeight - RULER;
}

/** What is under the pointer: the time, and what acted then. */
function said(time: number, row?: BranchRow): string {
  const text = `${Math.max(0, time).toFixed(2)} s`;
  const lanes = doc.value?.lanes ?? [];
  if (!row) return text;
  const story = findLineage(lanes, status.value?.lane ?? null);
  const acted = layOutSpans(doc.value?.spans ?? [], lanes, story, findRecorded()[1], { from: time, to: time }).filter(
    (piece) => piece.lane === row.lane.id && piece.start <= time && piece.end >= time,
  );
  const kinds = [...new Set(acted.map((piece) => spanTitle(piece.kind)))];
  return [text, row.lane.name, kinds.join(", ")].filter(Boolean).join("  ·  ");
}

interface CanvasProps {
  rows: BranchRow[];
  scroll: number;
  size: [number, number];
  trackRows: number;
}

/** Draws when something in it has changed, at most once for each picture on the screen. */
function Canvas({ rows, scroll, size: [width, height], trackRows }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return undefined;
    const ratio = devicePixelRatio;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    let due = 0;
    let colors = readPalette();
    const draw = () => {
      due = 0;
      paintTimeline(context, picture(rows, scroll, width, height, trackRows), colors);
    };
    const soon = () => {
      due ||= requestAnimationFrame(draw);
    };
    // Only while live the record grows with the frames; a look ahead goes along with what is looked at.
    const framed = (frame: { live: boolean }) => {
      if (frame.live || layers.peek().ahead || peek.peek()) soon();
    };
    const stop = effect(() => {
      void [view.value, range.value, doc.value, status.value, layers.value, peek.value, horizon.value];
      void [scene.value, tracks.value];
      soon();
    });
    const repaint = effect(() => {
      void theme.value;
      // The tokens change with an attribute that is set by another effect, perhaps after this one.
      requestAnimationFrame(() => {
        colors = readPalette();
        soon();
      });
    });
    const light = matchMedia("(prefers-color-scheme: light)");
    const other = () => requestAnimationFrame(() => ((colors = readPalette()), soon()));
    light.addEventListener("change", other);
    onFrame.add(framed);
    return () => {
      stop();
      repaint();
      light.removeEventListener("change", other);
      onFrame.delete(framed);
      cancelAnimationFrame(due);
    };
  }, [rows, scroll, width, height, trackRows]);
  return <canvas ref={canvas} aria-hidden="true" />;
}

function picture(rows: BranchRow[], scroll: number, width: number, height: number, trackRows: number): Picture {
  const state = status.peek();
  const lanes = doc.peek()?.lanes ?? [];
  const looked = state?.lane ?? null;
  const story = findLineage(lanes, looked);
  const until = findRecorded()[1];
  if (looked !== null && story.has(looked)) story.set(looked, until);
  const ahead = layers.peek().ahead || peek.peek();
  return {
    view: view.peek(),
    width,
    height,
    scroll,
    trackRows,
    rows,
    story,
    looked,
    until,
    pieces: layOutSpans(doc.peek()?.spans ?? [], lanes, story, until, view.peek()),
    range: range.peek(),
    ahead: ahead ? [shownTime(), shownTime() + horizon.peek()] : null,
    stale: lanes.flatMap(({ id, stale }) => (stale === null ? [] : [{ lane: id, from: stale }])),
  };
}

/** The playhead: stands where the frame on the stage is, and can be moved by keys when it has the focus. */
function Playhead({ width }: { width: number }) {
  const head = useRef<HTMLDivElement>(null);
  const seen = view.value;
  void status.value?.time;
  useLayoutEffect(() => {
    let due = 0;
    const place = () => {
      due = 0;
      if (!head.current) return;
      const x = toPixel(view.peek(), width, shownTime());
      head.current.style.transform = `translateX(${Math.round(x)}px)`;
      head.current.style.visibility = x < -1 || x > width + 1 ? "hidden" : "visible";
    };
    const soon = () => {
      due ||= requestAnimationFrame(place);
    };
    place();
    onFrame.add(soon);
    return () => {
      onFrame.delete(soon);
      cancelAnimationFrame(due);
    };
  }, [width, seen, status.value]);
  const [begin, end] = findRecorded();
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: "back", ArrowDown: "back", ArrowRight: "forward", ArrowUp: "forward" }[event.key];
    const jump = { PageDown: -0.5, PageUp: 0.5 }[event.key];
    // Frames need not lie at even times: going by one is left to the studio, which knows them.
    if (step) runCommand(`time.${step}${event.shiftKey ? "10" : ""}`);
    else if (jump) seek(Math.max(begin, Math.min(end, shownTime() + jump)));
    else if (event.key === "Home") seek(begin);
    else if (event.key === "End") seek(end);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={head} class={`playhead ${status.value?.mode ?? ""} ${status.value?.present ? "" : "past"}`}>
      <div
        class="playhead-grip"
        aria-label="Playhead"
        aria-description="Drag it, or click the ruler, to look at another moment."
        role="slider"
        tabIndex={0}
        data-testid="playhead"
        aria-valuemin={begin}
        aria-valuemax={Math.round(end * 1000) / 1000}
        aria-valuenow={Math.round(shownTime() * 1000) / 1000}
        aria-valuetext={`${shownTime().toFixed(2)} seconds`}
        onKeyDown={key}
      />
    </div>
  );
}
