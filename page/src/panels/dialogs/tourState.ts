/** The tour: a few small steps, each of which waits for the real thing to be done. It never stands in the way. */

import { computed, effect, signal } from "@preact/signals";
import { dragging, editTime } from "../../store/edit/state";
import { editing, workspace, type Workspace } from "../../store/workspace";
import { dialog, directable, directing, doc, edit, layers, live, peek, scene, status, tourSeen } from "../../store";
import { TOURS, type Seen, type Tour } from "./tourSteps";

/** Which step is shown; -1 if there is no tour. */
export const step = signal(-1);

/** Of which workspace it is. */
const kind = signal<Workspace>("direct");
export const tour = computed<Tour>(() => TOURS[kind.value]);

const seen = computed<Seen>(() => ({
  held: doc.value?.goals.some((goal) => goal.held) ?? false,
  live: live.value,
  present: status.value?.present ?? true,
  lanes: doc.value?.lanes.length ?? 0,
  peeking: peek.value || layers.value.ahead,
  editing: editing.value,
  moment: editTime.value,
  dragging: dragging.value,
  nails: edit.value?.nails.length ?? 0,
}));
/** As it was when the step began, or at the last change since. */
let before: Seen = seen.peek();

export function observePage(): Seen {
  return seen.value;
}

export function beginTour(where: Workspace = workspace.peek()): void {
  kind.value = where;
  before = seen.peek();
  step.value = 0;
}

export function advanceTour(): void {
  before = seen.peek();
  if (step.peek() + 1 < tour.peek().steps.length) step.value = step.peek() + 1;
  else leaveTour();
}

export function leaveTour(): void {
  step.value = -1;
  tourSeen.value = true;
}

/** Go on when the thing was done; called on every change of what can be seen. */
export function watchTour(current: Seen): void {
  const index = step.peek();
  const done = tour.peek().steps[index]?.done;
  if (!done) return;
  const was = before;
  before = current;
  if (done(was, current)) advanceTour();
}

let offered = false;

/** Begin by itself at the very first start where somebody can be directed, and by the command at any time. */
export function installTour(): () => void {
  const stops = [
    effect(() => watchTour(seen.value)),
    // What it shows is no more there; one that has just begun is begun again.
    effect(() => {
      const now = workspace.value;
      if (step.peek() < 0 || now === kind.peek()) return;
      if (step.peek() === 0) beginTour(now);
      else leaveTour();
    }),
    // Where nobody can be directed there is nothing to take hold of; another time it is offered again.
    effect(() => {
      if (!directable.value && kind.peek() === "direct") step.value = -1;
    }),
    effect(() => {
      if (dialog.value !== "tour") return;
      dialog.value = "";
      beginTour();
    }),
    effect(() => {
      // The document says whether anybody can be directed, and may come after all else.
      if (offered || tourSeen.value || !scene.value || !doc.value || !status.value || status.value.preparing || !directing.value || !directable.value) return;
      offered = true;
      beginTour();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
