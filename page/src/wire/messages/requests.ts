// Written by `python tools/typescript.py` from messages/requests.py of the studio. Do not edit.

import type { Quaternion, Vector } from "./basic";

/** The first message of a page. Answered by `Welcome`. */
export interface Hello {
  type: "hello";
  version: number;
  name?: string;
  /** Whether the page only watches. One that does not becomes the director if there is none. */
  watch?: boolean;
  /** A word of the page's own, by which it is recognised when it reconnects; empty for none. */
  key?: string;
}

/** Carry out a command of the project or an action of the studio. Answered by `Answer` or `Refusal`. */
export interface Do {
  type: "do";
  id: number;
  command: string;
  arguments?: Record<string, unknown>;
}

/**
 * A hand takes hold: a goal begins, and everything until the last hand lets go is one step of undo.
 *
 * Answered by `Answer` with the number of the goal. While posing, the hand moves the pose instead.
 *
 * Kind `edit` drags the motion that is open in the editor: `options` give `time`, the time in the motion [s], and `what`:
 * `point` of the bone, `center` of gravity of the character, `turn`, of the bone by an orientation in the world, or `bend`, by
 * one in its parent; or they give `nail`, whose target the hand then moves. All until it lets go is one step of undo.
 */
export interface Grab {
  type: "grab";
  id: number;
  /** Which hand: any number that no other hand has. */
  pointer: number;
  /** A kind of goal that a hand can begin, or `edit`. */
  kind?: string;
  /** The bone that is dragged; for a centre of gravity or a turn, any bone of the character. */
  bone?: string;
  /** Of the bone that is held, along the bone's axes. */
  point?: Vector;
  target?: Vector | null;
  orientation?: Quaternion | null;
  /** Of the goal: priority, firmness, push, axes and so on. */
  options?: Record<string, unknown>;
}

/** A hand moves; only the newest counts. */
export interface Move {
  type: "move";
  pointer: number;
  /** Returned in the first frame that includes this move. */
  sequence: number;
  target?: Vector | null;
  orientation?: Quaternion | null;
}

/** A hand lets go, and its goal ends unless `keep`. */
export interface Release {
  type: "release";
  id: number;
  pointer: number;
  keep?: boolean;
}

/** Show a time on record; only the newest counts. */
export interface Seek {
  type: "seek";
  sequence: number;
  time: number;
  lane?: number | null;
}

/** What this page wants to be shown. */
export interface Wishes {
  type: "wishes";
  contacts?: boolean;
  effort?: boolean;
  /** Elements of the flesh that are decomposed. */
  flagged?: boolean;
  /** Ghosts of the future. */
  ahead?: boolean;
  /** How far to look ahead [s]. */
  horizon?: number;
  /** Number of ghosts of the past. */
  before?: number;
  /** Time between two of them [s]. */
  spacing?: number;
  /** The cost of a step, with engine `adaptive`; measured now and then beside the simulation. */
  cost?: boolean;
}

/**
 * The camera of this page, sent now and then while it moves; only the newest counts.
 *
 * With engine `adaptive`, if the view is followed, joints are activated where the page that directs would see them.
 */
export interface Look {
  type: "look";
  eye: Vector;
  /** In the middle of the picture. */
  target: Vector;
  up: Vector;
  /** From the lower edge to the upper one [rad]. */
  fov: number;
  /** Of the picture [px]. */
  height: number;
  /** Width divided by height. */
  aspect: number;
}

/** A frame has been drawn; at most two are in flight. */
export interface Acknowledge {
  type: "acknowledge";
  sequence: number;
}
