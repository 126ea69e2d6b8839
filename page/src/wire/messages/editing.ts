// Written by `python tools/typescript.py` from messages/editing.py of the studio. Do not edit.

import type { Vector } from "./basic";

/** An event of an edited motion that leads from one of its clips to the next. */
export interface TransitionInfo {
  /** Its position among the transitions; `edit_cut` takes it. */
  index: number;
  kind: "grip" | "release" | "bounce";
  /** Empty for a release. */
  body: string;
  /** Of the body, along its axes. */
  point: Vector;
  /** When it happens in the motion as it is now [s]. */
  time: number;
  /** Whether edits may change its time. */
  free: boolean;
  /** The plane or bar that triggers it; null if it happens at a given time. */
  surface: Record<string, unknown> | null;
  /** Whether the body misses that surface. */
  missed: boolean;
  /** Distance at which the body passes the surface [m]; 0 if it meets it. */
  gap: number;
  /** A sentence about it. */
  text: string;
  /** As the document has it. */
  data: Record<string, unknown>;
}

/** A constraint on an edited motion. */
export interface NailInfo {
  id: number;
  /** point, velocity, rotation, joint, spin, center, or another that the editor knows. */
  kind: string;
  /** Empty if it concerns the whole character. */
  body: string;
  /** [s]. */
  time: number;
  /** Three numbers; for a rotation a quaternion x, y, z, w. */
  target: number[];
  /** Of the body, along its axes. */
  point: Vector;
  strength: number;
  /** The present value, in the form of `target`. */
  now: number[];
  /** Where the point of the body, or the centre of gravity, is at that time. */
  place: Vector;
  /** Distance from the target, without the strength [m, rad, m/s, rad/s]. */
  error: number;
}

/** The motion that is open in the editor, sent whenever it has changed; during a drag only the newest is sent. */
export interface Edit {
  type: "edit";
  /** Whether there is one; if not, all the rest is empty. */
  open: boolean;
  /** Of the scene whose bodies are shown. */
  epoch: number;
  /** The branch it was taken from; null if from none. */
  lane: number | null;
  /** Where on that branch it begins [s]. */
  begin: number;
  /** [s]. */
  duration: number;
  /** A different number whenever the motion or its constraints have changed. */
  revision: number;
  /** Of the transitions [s]. */
  times: number[];
  transitions: TransitionInfo[];
  /** Bars of the motion, each in the form of a transition's `surface`: one may trigger it now, or did when it was opened. */
  bars: Record<string, unknown>[];
  nails: NailInfo[];
  /** Attributes that stay as they are, each with a body, or with an empty name for all bodies. */
  locked: [string, string][];
  /** Whether the initial pose stays; see `edit_keep_start`. */
  keeps_start: boolean;
  /** How much attributes resist being changed. */
  masses: Record<string, number>;
  /** Weight of each kind of nail. */
  strengths: Record<string, number>;
  /** What may change beside the initial state; see `edit_allow`. */
  options: Record<string, unknown>;
  /** Of all nails together, with their strengths. */
  error: number;
  /** Error of the nail that is farthest off, without its strength. */
  worst: number;
  /** An error that is no larger counts as met. */
  done: number;
  /** Why the last request was not fulfilled; empty if it was. */
  warning: string;
  /**
   * Whether the last search has left the motion as it was because the nails conflict; `edit_solve` with `nearest` takes the
   * closest motion all the same.
   */
  refused: boolean;
  /** Whether a hand drags it. */
  held: boolean;
  /** Whether the studio still searches for a better motion; `edit_stop` ends that. */
  busy: boolean;
  /** Number of free parameters of an edit. */
  columns: number;
  /** Bodies of a sample: all of the scene, in its order. */
  bodies: number;
  /** float32, times of the samples [s]. */
  samples: Uint8Array;
  /** float32, x, y, z, qx, qy, qz, qw of each body for each sample. */
  poses: Uint8Array;
  /** Poses, at the same times, of the motion before the drag or, without a drag, as it was opened; empty if the same. */
  before: Uint8Array;
  /** float32, centre of gravity at each sample. */
  centers: Uint8Array;
}
