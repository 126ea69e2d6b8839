// Written by `python -m stringless.studio.typescript` from messages/editing.py of the studio. Do not edit.

import type { Vector } from "./basic";

/** Something that happens in an edited motion, and leads from one clip of it to the next. */
export interface TransitionInfo {
  /** Its place among them; `edit_cut` takes it. */
  index: number;
  kind: "grip" | "release" | "bounce";
  /** Empty for a release. */
  body: string;
  /** Of the body, along its axes. */
  point: Vector;
  /** When it happens, in the motion as it is now [s]. */
  time: number;
  /** Whether edits may move its time. */
  free: boolean;
  /** The plane or bar that it waits for; null if it happens at a time. */
  surface: Record<string, unknown> | null;
  /** Whether the body does not meet what it waits for. */
  missed: boolean;
  /** How far from it the body passes [m]; 0 if it meets it. */
  gap: number;
  /** A sentence about it. */
  text: string;
  /** As the document has it. */
  data: Record<string, unknown>;
}

/** Something that is wanted of an edited motion. */
export interface NailInfo {
  id: number;
  /** point, velocity, rotation, joint, spin, center, or another that the editor knows. */
  kind: string;
  /** Empty if it is about the whole character. */
  body: string;
  /** [s]. */
  time: number;
  /** Three numbers; of a rotation a quaternion x, y, z, w. */
  target: number[];
  /** Of the body, along its axes. */
  point: Vector;
  strength: number;
  /** What there is of it now, as `target` is given. */
  now: number[];
  /** Where the point of the body, or the centre of gravity, is at that moment. */
  place: Vector;
  /** How far it is from what is wanted, without its strength [m, rad, m/s, rad/s]. */
  error: number;
}

/** The motion that is open in the editor, whenever it has changed; while a hand drags only the newest is sent. */
export interface Edit {
  type: "edit";
  /** Whether there is one; if not, all the rest is empty. */
  open: boolean;
  /** Of the scene whose bodies it tells. */
  epoch: number;
  /** The lane it was taken from; null if from none. */
  lane: number | null;
  /** Where on that lane it begins [s]. */
  begin: number;
  /** [s]. */
  duration: number;
  /** Another number whenever the motion or what is wanted of it has changed. */
  revision: number;
  /** Of the transitions [s]. */
  times: number[];
  transitions: TransitionInfo[];
  /** That the motion knows, each as the `surface` of a transition: one may wait for it now, or did when it was opened. */
  bars: Record<string, unknown>[];
  nails: NailInfo[];
  /** Attributes that stay as they are, each with a body, or with nothing for all bodies. */
  locked: [string, string][];
  /** Whether the pose that it begins with stays; `edit_keep_start` says so. */
  keeps_start: boolean;
  /** How much attributes resist being changed. */
  masses: Record<string, number>;
  /** How much each kind of nail counts. */
  strengths: Record<string, number>;
  /** What may change beside the start; `edit_allow` says so. */
  options: Record<string, unknown>;
  /** Of all nails together, with their strengths. */
  error: number;
  /** Error of the nail that is farthest off, without its strength. */
  worst: number;
  /** An error that is no larger counts as met. */
  done: number;
  /** Why the last wish was not fulfilled; empty if it was. */
  warning: string;
  /**
   * Whether the last search has left the motion as it was because not all that is nailed can be had; `edit_solve` with
   * `nearest` takes the nearest motion all the same.
   */
  refused: boolean;
  /** Whether a hand drags it. */
  held: boolean;
  /** Whether the studio still looks for a better motion; `edit_stop` ends that. */
  busy: boolean;
  /** How many numbers an edit may change. */
  columns: number;
  /** Bodies of a sample: all of the scene, in its order. */
  bodies: number;
  /** float32, times of the samples [s]. */
  samples: Uint8Array;
  /** float32, x, y, z, qx, qy, qz, qw of each body for each sample. */
  poses: Uint8Array;
  /** Poses, at the same times, of the motion before the drag or, if nobody drags, as it was opened; empty if the same. */
  before: Uint8Array;
  /** float32, centre of gravity at each sample. */
  centers: Uint8Array;
}
