/** What the page keeps of an edit: the moment that is looked at, whether it plays, what is drawn. The motion is the studio's. */

import { computed, effect, signal } from "@preact/signals";
import { edit, persistentSignal, scene } from "..";
import type { Vec } from "../../geometry/vectors";
import type { Edit, NailInfo } from "../../wire/messages";
import { readMotion } from "./motion";
import { editing } from "../workspace";

export const motion = computed(() => readMotion(edit.value));

/** Of the motion that is open; 0 if none is [s]. */
export const duration = computed(() => edit.value?.duration ?? 0);

// --- time ---

/** The moment of the motion that is looked at [s]. */
export const editTime = signal(0);
export const playing = signal(false);
export const looping = persistentSignal("editLoop", true);
export const speed = persistentSignal("editSpeed", 1);

/** Steps of the keys [s]. */
export const STEP = 1 / 60;

/** Look at a moment; one that is played on goes on from there. What a hand holds is of this moment: it stays meanwhile. */
export function seekEdit(time: number): void {
  if (dragging.peek()) return;
  editTime.value = Math.min(duration.peek(), Math.max(0, time));
}

/** The next moment after some time has passed: from the end back to the start if it is looped. Null at the end. */
export function advanceTime(time: number, seconds: number, end: number, loop: boolean): number | null {
  const next = time + seconds;
  if (next < end) return next;
  return loop && end > 0 ? next % end : null;
}

let last = 0;

function tick(now: number): void {
  if (!playing.peek()) return;
  const next = advanceTime(editTime.peek(), (speed.peek() * Math.min(now - last, 100)) / 1000, duration.peek(), looping.peek());
  last = now;
  if (next === null) {
    editTime.value = duration.peek();
    playing.value = false;
    return;
  }
  editTime.value = next;
  requestAnimationFrame(tick);
}

export function setPlaying(on: boolean): void {
  if (on === playing.peek() || (on && dragging.peek())) return;
  playing.value = on;
  if (!on) return;
  if (editTime.peek() >= duration.peek() - 1e-6) editTime.value = 0;
  last = performance.now();
  requestAnimationFrame(tick);
}

/** The tab of the inspector that is open. */
export const editTab = signal("wanted");

// --- what is drawn ---

export const ghostCount = persistentSignal("editStrobes", 9);
export const ghostsShown = persistentSignal("editStrobesShown", true);
export type Paths = "none" | "one" | "all";
/** Of which bodies the paths are drawn: none, the one that is pointed at or selected, or all. */
export const paths = persistentSignal<Paths>("editPaths", "one");
export const originalShown = persistentSignal("editGhost", true);

/** Times of the strobes; what is drawn pale on the stage and as dots on the timeline. */
export const shownGhosts = computed(() => (ghostsShown.value ? ghostCount.value : 0));

// --- nails ---

/** The nail that is meant: its menu is beside it, keys are about it. */
export const chosenNail = signal<number | null>(null);
/** Where in the window the menu of the chosen nail stands; null if it is not open. */
export const nailMenu = signal<{ x: number; y: number } | null>(null);
/** What happens and is meant, by its place among all that does: its menu is over its mark. */
export const chosenTransition = signal<number | null>(null);
/** The moment of the pose that is dragged along the timeline, to be had at another one; null if none is. */
export const draggedPoseTime = signal<number | null>(null);
/** Whether a hand drags the motion. */
export const dragging = signal(false);
/** What it holds, and where that shall go; a nail says so itself. */
export const dragBand: { now: { from: () => Vec; to: Vec } | null } = { now: null };

export const findNail = (id: number | null): NailInfo | undefined => edit.value?.nails.find((nail) => nail.id === id);

/** The moment next to a time at which something is: ends, transitions, nails. */
export function findNeighbour(times: readonly number[], time: number, direction: 1 | -1): number | undefined {
  const near = 1e-4;
  const sorted = [...times].sort((a, b) => a - b);
  return direction > 0 ? sorted.find((other) => other > time + near) : sorted.findLast((other) => other < time - near);
}

/** Where there is something to go to. */
export function listStops(): number[] {
  const open = edit.value;
  if (!open) return [];
  return [0, ...open.transitions.map(({ time }) => time), ...open.nails.map(({ time }) => time), open.duration];
}

/** Whether it is the motion of before: of the same scene, or, where that was only sent anew, the same numbers. */
export function isSameMotion(before: Edit | null, now: Edit | null): boolean {
  if (!before || !now || before.epoch === now.epoch) return before?.epoch === now?.epoch;
  return before.poses.length === now.poses.length && before.poses.every((byte, k) => byte === now.poses[k]);
}

/** How many motions were opened here: another number for another motion. */
export const openedCount = signal(0);

/** Keep what is chosen and looked at within what there is. */
export function watchEdit(): () => void {
  let was: Edit | null = null;
  let known: number | null = null;
  let happened = 0;
  return effect(() => {
    void scene.value?.epoch;
    const open = editing.value ? edit.value : null;
    const end = duration.value;
    const chosen = chosenNail.value;
    if (editTime.peek() > end) editTime.value = end;
    // A nail that was just made is chosen before the studio has told of it.
    if (chosen !== null && findNail(chosen)) known = chosen;
    else if (chosen !== null && chosen === known) {
      chosenNail.value = null;
      nailMenu.value = null;
    }
    // Whichever was taken out, the others may have other numbers now.
    const happens = open?.transitions.length ?? 0;
    if (happens < happened) chosenTransition.value = null;
    happened = happens;
    // Another motion, perhaps of another scene: begin anew.
    const another = !isSameMotion(was, open);
    was = open;
    if (another) {
      openedCount.value = openedCount.peek() + 1;
      editTime.value = 0;
      chosenNail.value = null;
      chosenTransition.value = null;
      nailMenu.value = null;
      editTab.value = "wanted";
    }
    if (open === null) playing.value = false;
  });
}
