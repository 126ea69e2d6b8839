/** The steps of the tours. */

import type { Workspace } from "../../store/workspace";

/** What a step looks at to know that it was done. */
export interface Seen {
  held: boolean;
  live: boolean;
  present: boolean;
  lanes: number;
  peeking: boolean;
  /** Whether a motion is open in the editor; the moment of it that is looked at, and whether a hand drags it. */
  editing: boolean;
  moment: number;
  dragging: boolean;
  nails: number;
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

/** A tour of one workspace. */
export interface Tour {
  welcome: string;
  steps: Step[];
}

const DIRECTING: Step[] = [
  {
    anchor: "stage",
    side: "inside",
    title: () => "Drag the character",
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

const EDITING: Step[] = [
  {
    anchor: "edit-area",
    side: "top",
    title: () => "Look at a moment",
    text: () => "This is the whole motion, from its beginning to its end. Drag along its ruler to any moment.",
    done: (before, now) => before.moment !== now.moment && now.moment > 0.05,
  },
  {
    anchor: "stage",
    side: "inside",
    title: () => "Drag the motion",
    text: () => "Take the character and drag it. Its start changes, so that physics brings it there at this moment. The grey ghost is what it was.",
    done: (before, now) => before.dragging && !now.dragging,
  },
  {
    anchor: "stage",
    side: "inside",
    title: () => "Nail what shall stay so",
    text: () => "Double-click a body, or rest a finger on it. Drag at another moment afterwards: what is nailed stays, if physics can do both.",
    done: (before, now) => now.nails > before.nails,
  },
  {
    anchor: "edit-keep",
    side: "top",
    title: () => "Keep it",
    text: () => "Done makes the motion a take, to be directed from any moment of it. All of this can be undone.",
    keys: "Ctrl Enter",
    done: (before, now) => before.editing && !now.editing,
  },
];

export const TOURS: Record<Workspace, Tour> = {
  direct: { welcome: "Welcome to Stringless", steps: DIRECTING },
  edit: { welcome: "The motion editor", steps: EDITING },
};
