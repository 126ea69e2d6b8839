/** The tour: a few small steps, each of which waits for the real thing to be done. It never stands in the way. */

import { computed, effect, signal } from "@preact/signals";
import { adaptive, dialog, directing, doc, layers, live, peek, scene, status, tourSeen } from "../store";

/** What a step looks at to know that it was done. */
export interface Seen {
  held: boolean;
  live: boolean;
  present: boolean;
  lanes: number;
  peeking: boolean;
}

export interface Step {
  /** Where it stands beside. */
  anchor: string;
  side: "top" | "bottom" | "left" | "right" | "inside";
  title: (now: Seen) => string;
  text: (now: Seen) => string;
  keys?: string;
  /** Whether it was done, since the step began; a step without it waits for a click. */
  done?: (before: Seen, now: Seen) => boolean;
}

export const STEPS: Step[] = [
  {
    anchor: "stage",
    side: "inside",
    title: () => "Take hold of it",
    text: () => "Press on its head and drag upward. Your hand says where; the character gets there by its own muscles.",
    done: (before, now) => before.held && !now.held,
  },
  {
    anchor: "play",
    side: "top",
    title: (now) => (now.live ? "Hold time still" : "Let time run"),
    text: (now) => (now.live ? "Everything that happens is recorded. Press Space to stop." : "Press Space, and see what it does by itself."),
    keys: "Space",
    done: (before, now) => before.live !== now.live,
  },
  {
    anchor: "time-area",
    side: "top",
    title: () => "Go back",
    text: () => "Drag along the timeline. You look at the real thing as it was, at any moment.",
    done: (_, now) => !now.present && !now.live,
  },
  {
    anchor: "play",
    side: "top",
    title: () => "Go on from here",
    text: () => "Press Space again. A new future begins here; the old one is kept in a lane of its own.",
    keys: "Space",
    done: (_, now) => now.live,
  },
  {
    anchor: "stage",
    side: "inside",
    title: () => "See what will happen",
    text: () => "Hold G: the ghost shows the second to come. Let go, and it is gone.",
    keys: "G",
    done: (before, now) => before.peeking && !now.peeking,
  },
  {
    anchor: "undo",
    side: "bottom",
    title: () => "Nothing is ever lost",
    text: () => "Every drag is one step of undo, and the project is written as you go.",
    keys: "Ctrl Z",
  },
  {
    anchor: "open-gallery",
    side: "bottom",
    title: () => "There is more",
    text: () => "The gallery has a fish, a lamp, a starfish and their performances. Press ? for all keys, Ctrl K to find anything.",
    keys: "?",
  },
];

/** Which step is shown; -1 if there is no tour. */
export const step = signal(-1);

const seen = computed<Seen>(() => ({
  held: doc.value?.goals.some((goal) => goal.held) ?? false,
  live: live.value,
  present: status.value?.present ?? true,
  lanes: doc.value?.lanes.length ?? 0,
  peeking: peek.value || layers.value.ahead,
}));
/** As it was when the step began, or at the last change since. */
let before: Seen = seen.peek();

export function now(): Seen {
  return seen.value;
}

export function begin(): void {
  before = seen.peek();
  step.value = 0;
}

export function next(): void {
  before = seen.peek();
  if (step.peek() + 1 < STEPS.length) step.value = step.peek() + 1;
  else leave();
}

export function leave(): void {
  step.value = -1;
  tourSeen.value = true;
}

/** Go on when the thing was done; called on every change of what can be seen. */
export function watch(current: Seen): void {
  const index = step.peek();
  const done = STEPS[index]?.done;
  if (!done) return;
  const was = before;
  before = current;
  if (done(was, current)) next();
}

let offered = false;

/** Begin by itself at the very first start where somebody can be directed, and by the command at any time. */
export function install(): () => void {
  const stops = [
    effect(() => watch(seen.value)),
    effect(() => {
      if (dialog.value !== "tour") return;
      dialog.value = "";
      begin();
    }),
    effect(() => {
      if (offered || tourSeen.value || !scene.value || !status.value || status.value.preparing || !directing.value || adaptive.value) return;
      offered = true;
      begin();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
