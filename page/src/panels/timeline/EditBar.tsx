/** The timeline of an edit: the motion from its beginning to its end, what happens in it, and what is wanted of it. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { edit } from "../../store";
import { Icon, tip } from "../../ui";
import { subdivisions, tickLabel, ticks, tickSpacing } from "../../store/timeline/scale";
import { isHeldAtStart } from "../../store/edit/transitions";
import { makeClips, MARGIN, toMoment, toX } from "./bar";
import { NailMarks, PoseMarks, TransitionMarks } from "./TimeMarks";
import { duration, seekEdit, editTime, setPlaying } from "../../store/edit/state";

const ROWS = [
  { name: "What happens", icon: "gripOn", help: "Grips, releases and bounces. Those that are free can be dragged to another time." },
  { name: "Nails", icon: "pin", help: "What is wanted, green if it is met. Drag one to want it earlier or later." },
  { name: "Poses", icon: "strobes", help: "The strobes you see on the stage. Drag one to want its pose earlier or later." },
] as const;

export function EditBar() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth || 1));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const scrub = (event: PointerEvent) => {
    const place = (box.current as HTMLElement).getBoundingClientRect();
    seekEdit(toMoment(event.clientX - place.left, duration.value, width));
  };
  return (
    <div class="edit-body">
      <div class="edit-names">
        <span class="edit-corner" />
        {ROWS.map(({ name, icon, help }) => (
          <div key={name} class="track-name" {...tip({ title: name, help, side: "right" })}>
            <Icon name={icon} size={14} />
            <span>{name}</span>
          </div>
        ))}
      </div>
      <div
        ref={box}
        class="edit-area"
        data-testid="edit-area"
        onPointerDown={(event) => {
          // A button within it keeps its click.
          if (event.button !== 0 || (event.target as Element).closest("button")) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setPlaying(false);
          scrub(event);
        }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && scrub(event)}
      >
        <Ruler width={width} />
        <Clips width={width} />
        <TransitionMarks width={width} />
        <NailMarks width={width} />
        <PoseMarks width={width} />
        <Head width={width} />
      </div>
    </div>
  );
}

function Ruler({ width }: { width: number }) {
  const total = duration.value;
  const inner = Math.max(1, width - 2 * MARGIN);
  const seen = { from: 0, to: Math.max(total, 1e-3) };
  const spacing = tickSpacing(seen, inner, 64);
  const small = spacing / subdivisions(spacing);
  return (
    <div class="edit-ruler" aria-hidden="true">
      {ticks(seen, small).map((time) => (
        <i key={`s${time}`} style={{ left: `${toX(time, total, width)}px` }} />
      ))}
      {labelled(ticks(seen, spacing), total, width).map((time) => (
        <span key={time} style={{ left: `${toX(time, total, width)}px` }}>
          {tickLabel(time, spacing)}
        </span>
      ))}
    </div>
  );
}

/** A label that would be cut off at the right edge is left out. */
const labelled = (times: number[], total: number, width: number): number[] => times.filter((time) => toX(time, total, width) < width - 34);

/** Flights and swings, one after the other. */
function Clips({ width }: { width: number }) {
  const total = duration.value;
  return (
    <>
      {makeClips(edit.value?.transitions ?? [], total, isHeldAtStart()).map(({ from, to, held, missed }, k) => (
        <div key={k} class={`edit-clip ${held ? "held" : ""} ${missed ? "missed" : ""}`} style={{ left: `${toX(from, total, width)}px`, width: `${toX(to, total, width) - toX(from, total, width)}px` }}>
          <span>{missed ? "not reached yet" : held ? "held" : "free"}</span>
        </div>
      ))}
    </>
  );
}

/** The moment that is looked at; can be moved by keys when it has the focus. */
function Head({ width }: { width: number }) {
  const [time, total] = [editTime.value, duration.value];
  return (
    <div class="playhead live" style={{ transform: `translateX(${toX(time, total, width)}px)` }}>
      <div
        class="playhead-grip"
        role="slider"
        tabIndex={0}
        aria-label="Moment"
        aria-description="Drag it, or click the ruler, to look at another moment of the motion."
        aria-valuemin={0}
        aria-valuemax={Math.round(total * 1000) / 1000}
        aria-valuenow={Math.round(time * 1000) / 1000}
        aria-valuetext={`${time.toFixed(2)} seconds`}
        data-testid="edit-head"
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1 / 60, ArrowDown: -1 / 60, ArrowRight: 1 / 60, ArrowUp: 1 / 60, PageDown: -0.25, PageUp: 0.25 }[event.key];
          if (by) seekEdit(time + by);
          else if (event.key === "Home") seekEdit(0);
          else if (event.key === "End") seekEdit(total);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </div>
  );
}
