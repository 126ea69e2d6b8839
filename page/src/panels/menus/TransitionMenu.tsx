/** Over the mark of something that happens: how it happens, when, and a way to take it out. */

import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { watching } from "../../commands/reasons";
import { createGesture } from "../controls/gesture";
import { edit, timelineOpen } from "../../store";
import { Button, Field, IconButton, NumberField, place, Segmented, Slider } from "../../ui";
import type { TransitionInfo } from "../../wire/messages";
import { findLimits } from "../timeline/bar";
import { listBars, removeTransition, moveToTime, moveToSurface, moveToFloor, setHold, type Hold } from "../../store/edit/transitions";
import { chosenTransition, duration } from "../../store/edit/state";
import { isFloor, type Surface } from "../../store/edit/surfaces";
import { transitionName, describeRestitution } from "../../store/edit/labels";
import "./nails.css";

export function TransitionMenu() {
  const shown = edit.value?.transitions[chosenTransition.value ?? -1];
  return shown ? <Menu key={shown.index} transition={shown} /> : null;
}

function Menu({ transition }: { transition: TransitionInfo }) {
  const box = useRef<HTMLDivElement>(null);
  const { index, kind, time } = transition;
  const settle = () => {
    const below = document.querySelector(".edit-timeline")?.getBoundingClientRect();
    const mark = document.querySelector(`[data-testid="transition-${index}"]`)?.getBoundingClientRect() ?? below;
    // At the foot of the stage, over its mark: neither the ruler nor the buttons are hidden.
    if (box.current && mark && below) place(box.current, new DOMRect(mark.x, below.y, mark.width, below.height), "top", 8);
  };
  const since = [index, kind, time, duration.value, timelineOpen.value];
  useLayoutEffect(settle, since);
  // And once its mark has moved along.
  useEffect(settle, since);
  const close = () => (chosenTransition.value = null);
  return (
    <div ref={box} class="nail-menu happening-menu" role="dialog" aria-label="What happens" data-testid="happening-menu">
      <header>
        <strong>{transitionName(transition)}</strong>
        <IconButton icon="close" size={24} label="Close" keys="Esc" onClick={close} testid="happening-close" />
      </header>
      <TransitionFields transition={transition} />
      <div class="nail-actions">
        <Button kind="quiet" icon="trash" blocked={watching()} onClick={() => void removeTransition(index)} testid="happening-remove">
          Remove
        </Button>
        <Button kind="quiet" keys="Esc" onClick={close} testid="happening-done">
          Done
        </Button>
      </div>
    </div>
  );
}

/** What can be changed of it. */
export function TransitionFields({ transition }: { transition: TransitionInfo }) {
  return (
    <>
      {transition.kind === "bounce" && <OffWhat transition={transition} />}
      {transition.kind === "bounce" && <Restitution transition={transition} />}
      {transition.kind === "grip" && <HeldBy transition={transition} />}
      {transition.kind === "grip" && <WaitsFor transition={transition} />}
      {!transition.surface && <Time transition={transition} />}
    </>
  );
}

function OffWhat({ transition }: { transition: TransitionInfo }) {
  const floor = isFloor((transition.surface ?? {}) as Surface);
  return (
    <Field label="Off">
      <Segmented
        label="What it bounces off"
        value={floor ? "floor" : "wall"}
        choices={[
          { value: "floor", label: "The floor", help: "When it comes down to the floor.", blocked: watching(), testid: "bounce-floor" },
          { value: "wall", label: "A wall", help: "A wall in its way, which it meets squarely at this moment.", blocked: watching(), testid: "bounce-wall" },
        ]}
        onChange={(to) => void (to === "floor" ? moveToFloor(transition) : moveToTime(transition, transition.time))}
      />
    </Field>
  );
}

/** From what stays where it hits, to what comes back as fast. */
function Restitution({ transition: { index, data } }: { transition: TransitionInfo }) {
  const hand = useMemo(() => createGesture("edit_happening", "change how it bounces"), [index]);
  const value = typeof data.restitution === "number" ? data.restitution : 1;
  const args = (restitution: number) => ({ index, restitution });
  return (
    <Field label="Rebound" help="How much of its speed it has after it: nothing to the left, all of it to the right.">
      <Slider label="How lively it bounces" value={value} min={0} max={1} say={describeRestitution} blocked={watching()} testid="bounce-restitution" onInput={(to) => hand.change(args(to))} onCommit={(to) => void hand.end(args(to))} />
      <span class="counts">{describeRestitution(value)}</span>
    </Field>
  );
}

function HeldBy({ transition }: { transition: TransitionInfo }) {
  return (
    <Field label="Held by">
      <Segmented<Hold>
        label="What it is held by"
        value={transition.data.hold === "hinge" ? "hinge" : "ball"}
        choices={[
          { value: "ball", label: "A ball", help: "It can turn every way about the point.", blocked: watching(), testid: "grip-ball" },
          { value: "hinge", label: "A hinge", help: "It swings about one axis: the bar it holds, else the line you look along now.", blocked: watching(), testid: "grip-hinge" },
        ]}
        onChange={(kind) => void setHold(transition, kind)}
      />
    </Field>
  );
}

/** A time, the floor, or one of the bars that the motion knows. */
function WaitsFor({ transition }: { transition: TransitionInfo }) {
  const known = listBars();
  const now = waitsFor(transition.surface as Surface | null, known);
  const bar = (k: number) => (known.length > 1 ? `Bar ${k + 1}` : "The bar");
  return (
    <Field label="When" help="At a time, or when it meets something; then edits move it along.">
      <Segmented
        label="When it grips"
        value={now}
        choices={[
          { value: "time", label: "A time", help: "At this moment, wherever it is then.", blocked: watching(), testid: "grip-time" },
          ...known.map((_, k) => ({ value: String(k), label: bar(k), help: "When it meets the bar. Until then the motion is drawn toward it.", blocked: watching(), testid: `grip-bar-${k}` })),
          { value: "floor", label: "The floor", help: "When it comes down to the floor: it stands there, and tips over.", blocked: watching(), testid: "grip-floor" },
          ...(now === "wall" ? [{ value: "wall", label: "A wall", help: "When it meets its wall.", testid: "grip-wall" }] : []),
        ]}
        onChange={(to) => to !== now && void wait(transition, to)}
      />
    </Field>
  );
}

function waitsFor(surface: Surface | null, known: readonly Surface[]): string {
  if (!surface) return "time";
  if (surface.plane) return isFloor(surface) ? "floor" : "wall";
  return String(known.findIndex((bar) => JSON.stringify(bar) === JSON.stringify(surface)));
}

async function wait(transition: TransitionInfo, to: string): Promise<void> {
  if (to === "time") await moveToTime(transition, transition.time);
  else if (to === "floor") await moveToFloor(transition);
  else await moveToSurface(transition, listBars()[Number(to)] as Surface);
}

function Time({ transition }: { transition: TransitionInfo }) {
  const times = edit.value?.transitions.map(({ time }) => time) ?? [];
  const [min, max] = findLimits(times, transition.index, duration.value);
  return (
    <Field label="At" help="The moment at which it happens.">
      <NumberField label="Moment" unit="s" value={transition.time} min={min} max={max} step={0.005} digits={3} blocked={watching()} testid="happening-time" strict onInput={() => {}} onCommit={(to) => void moveToTime(transition, to)} />
    </Field>
  );
}
