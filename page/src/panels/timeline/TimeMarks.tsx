/** Marks on the timeline of an edit: transitions, nails, and the poses that are strobed. */

import { useEffect } from "preact/hooks";
import { watching } from "../../commands/reasons";
import { act, directing, edit } from "../../store";
import { Icon, IconButton, tip } from "../../ui";
import type { NailInfo, TransitionInfo } from "../../wire/messages";
import { changeNail, chooseNail } from "../../store/edit/actions";
import { findLimits, snapTime, toMoment, toX } from "./bar";
import { chooseTransition, removeTransition } from "../../store/edit/transitions";
import { spreadTimes } from "../../store/edit/motion";
import { colorResidual, colorTime } from "../../store/edit/residual";
import { chosenTransition, chosenNail, duration, seekEdit, editTime, draggedPoseTime, shownGhosts } from "../../store/edit/state";
import { useMarkDrag } from "./markDrag";
import { findFanOffset, transitionWords, nailError, nailTitle } from "../../store/edit/labels";

interface Wide {
  width: number;
}

/** How a mark goes with the pointer: to what is near, and not beyond its bounds. */
function along(time: number, width: number, near: number[], [low, high]: [number, number]) {
  const total = duration.value;
  return (pixels: number) => {
    const wanted = toMoment(toX(time, total, width) + pixels, total, width);
    return Math.min(high, Math.max(low, snapTime(wanted, near, (6 * total) / width)));
  };
}

export function TransitionMarks({ width }: Wide) {
  return (
    <>
      {(edit.value?.transitions ?? []).map((transition) => (
        <TransitionMark key={transition.index} transition={transition} width={width} />
      ))}
    </>
  );
}

function TransitionMark({ transition, width }: Wide & { transition: TransitionInfo }) {
  const { index, kind, time, free, surface, missed, text } = transition;
  const { name, icon } = transitionWords(kind);
  const times = edit.value?.transitions.map((other) => other.time) ?? [];
  const fixed = watching() || (surface ? "This happens where it touches. Drag the motion instead, and it moves along." : "");
  const drag = useMarkDrag({
    time,
    fixed,
    moved: along(time, width, [editTime.value], findLimits(times, index, duration.value)),
    onClick: () => chooseTransition(transition),
    onDrop: (to) => void act("edit_retime", { time, to }),
  });
  const how = surface ? "It happens when it touches; drag the motion to move it." : free ? "Drag it earlier or later; edits may move it, too." : "Drag it earlier or later.";
  return (
    <div class={`edit-transition ${kind} ${missed ? "missed" : ""} ${surface ? "" : "movable"} ${drag.time === null ? "" : "dragged"}`} style={{ left: `${toX(drag.time ?? time, duration.value, width)}px` }}>
      <button
        type="button"
        {...tip({ title: `${name} at ${time.toFixed(2)} s`, help: `${text} Click it for more. ${how}`.trim(), side: "top" })}
        aria-pressed={chosenTransition.value === index}
        {...drag.handlers}
        data-testid={`transition-${index}`}
        onKeyDown={(event) => {
          if (event.key === "Delete" && !event.defaultPrevented) void removeTransition(index);
          else if (event.key === "Enter") chooseTransition(transition);
        }}
      >
        <Icon name={icon} size={14} />
      </button>
      {drag.time !== null && <span class="hover-label" style={{ "--at": "0" }}>{drag.time.toFixed(3)} s</span>}
      {directing.value && drag.time === null && (
        <IconButton icon="close" size={24} label={`Take this out: ${name.toLowerCase()}`} help="The motion goes on as before it." testid={`cut-${index}`} onClick={() => void removeTransition(index)} />
      )}
    </div>
  );
}

export function NailMarks({ width }: Wide) {
  const nails = edit.value?.nails ?? [];
  return (
    <>
      {nails.length === 0 && <span class="edit-hint">Double-click a body to nail it at this moment</span>}
      {nails.map((nail) => (
        <NailMark key={nail.id} nail={nail} width={width} />
      ))}
    </>
  );
}

function NailMark({ nail, width }: Wide & { nail: NailInfo }) {
  const done = edit.value?.done ?? 1e-3;
  const chosen = chosenNail.value === nail.id;
  const nails = edit.value?.nails ?? [];
  const drag = useMarkDrag({
    time: nail.time,
    fixed: watching(),
    moved: along(nail.time, width, [editTime.value], [0, duration.value]),
    onClick: () => chooseNail(nail),
    onDrop: (time) => void changeNail(nail.id, { time }),
  });
  const met = nail.error <= done ? "It is met." : `It is ${nailError(nail)} off.`;
  return (
    <>
      <button
        type="button"
        class={`time-mark edit-nail ${chosen ? "chosen" : ""}`}
        style={{ left: `${toX(drag.time ?? nail.time, duration.value, width)}px`, "--residual": colorResidual(nail.error, done), "--fan": findFanOffset(nail, nails) }}
        aria-pressed={chosen}
        {...tip({ title: `${nailTitle(nail, nails)} at ${nail.time.toFixed(2)} s`, help: `${met} Click to go there, drag to want it at another time.`, side: "top" })}
        {...drag.handlers}
        data-testid={`nail-mark-${nail.id}`}
        onKeyDown={(event) => event.key === "Enter" && chooseNail(nail)}
      />
      {drag.time !== null && (
        <span class="hover-label" style={{ left: `${toX(drag.time, duration.value, width)}px`, "--at": "var(--second)" }}>
          {drag.time.toFixed(3)} s
        </span>
      )}
    </>
  );
}

export function PoseMarks({ width }: Wide) {
  return (
    <>
      {spreadTimes(shownGhosts.value, duration.value).map((time, k) => (
        <PoseMark key={k} number={k} time={time} width={width} />
      ))}
    </>
  );
}

function PoseMark({ number, time, width }: Wide & { number: number; time: number }) {
  const total = duration.value;
  // The start and the end are where they are.
  const inner = time > 1e-6 && time < total - 1e-6;
  const drag = useMarkDrag({
    time,
    fixed: watching() || (inner ? "" : "The beginning and the end are where they are."),
    moved: along(time, width, [], [0.01, total - 0.01]),
    onClick: () => seekEdit(time),
    onDrop: (to) => void act("edit_retime", { time, to }),
  });
  const dragged = drag.time !== null;
  useEffect(() => {
    if (!dragged) return undefined;
    draggedPoseTime.value = time;
    return () => (draggedPoseTime.value = null);
  }, [dragged]);
  const help = inner ? "Click to go there, drag to want this pose earlier or later." : "Click to go there.";
  return (
    <>
      <button
        type="button"
        class={`time-mark edit-pose ${inner ? "" : "end"}`}
        style={{ left: `${toX(drag.time ?? time, total, width)}px`, "--tint": colorTime(total > 0 ? time / total : 0) }}
        {...tip({ title: `Pose at ${time.toFixed(2)} s`, help, side: "top" })}
        {...drag.handlers}
        data-testid={`pose-${number}`}
        onKeyDown={(event) => event.key === "Enter" && seekEdit(time)}
      />
      {drag.time !== null && (
        <>
          <span class="edit-pose-way" style={{ left: `${Math.min(toX(time, total, width), toX(drag.time, total, width))}px`, width: `${Math.abs(toX(time, total, width) - toX(drag.time, total, width))}px` }} />
          <span class="hover-label" style={{ left: `${toX(drag.time, total, width)}px`, "--at": "var(--third)" }}>
            {`${drag.time > time ? "+" : "−"}${Math.abs(drag.time - time).toFixed(3)} s`}
          </span>
        </>
      )}
    </>
  );
}
