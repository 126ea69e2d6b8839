// Written by `python -m stringless.studio.typescript` from messages/document.py of the studio. Do not edit.

import type { Vector } from "./basic";

/** A goal as the director has it. */
export interface GoalInfo {
  id: number;
  kind: string;
  character: number;
  /** Empty if it is about the whole character. */
  bone: string;
  priority: number;
  weight: number;
  firmness: number;
  damping: number;
  fade: number;
  push: boolean;
  top_speed: number | null;
  /** Directions that count. */
  axes: Vector[];
  /** Whether an orientation is held. */
  turns: boolean;
  /** Whether a hand holds it just now. */
  held: boolean;
}

/** Keyframes. */
export interface TrackInfo {
  id: number;
  joints: string[];
  /** Of the keys, in the time of the track [s]: a time t of it is played at `started + (t - begin) / rate` of the take. */
  times: number[];
  playing: boolean;
  started: number;
  begin: number;
  rate: number;
}

/** A lane of the take. */
export interface LaneInfo {
  id: number;
  name: string;
  parent: number | null;
  /** Where it leaves its parent [s]. */
  start: number;
  /** Where its first frame is, that of its parents included [s]. */
  begin: number;
  end: number;
  deleted: boolean;
  /** From when on it does not show what would happen now [s]; null if it does. */
  stale: number | null;
}

/** What acted for a while, on the lane that is looked at. */
export interface SpanInfo {
  kind: "drag" | "center" | "turn" | "pose" | "pin" | "passive" | "keyframes" | "directed";
  start: number;
  /** null if it goes on. */
  end: number | null;
}

/** A name of a moment. */
export interface MarkerInfo {
  name: string;
  time: number;
}

/** Who moves a joint. */
export interface JointState {
  name: string;
  state: "directed" | "passive" | "keyframes" | "free";
  weight: number;
  stiffness: number;
  damping: number;
}

/** All that was made, whenever it has changed. */
export interface Document {
  type: "document";
  revision: number;
  /** Empty while it has no file of its own. */
  path: string;
  title: string;
  scene: string;
  goals: GoalInfo[];
  tracks: TrackInfo[];
  joints: JointState[];
  lanes: LaneInfo[];
  spans: SpanInfo[];
  markers: MarkerInfo[];
  /** Of each character: acceleration, torque or velocity. */
  styles: string[];
  /** limit_firmness, top_acceleration, counted_friction, keep_momentum. */
  director: Record<string, unknown>;
  /** How states are advanced. With `stiff` goals are springs that pull from outside, and frames tell their forces. */
  engine: "reduced" | "stiff" | "adaptive";
  /** Length of a step that the scene is made for [s]; `parameters` has the one in use. */
  step: number;
  /** Of the simulation; under `flesh` those of each part of the flesh. */
  parameters: Record<string, unknown>;
  /** What undo would take back; empty if there is nothing. */
  undo: string;
  redo: string;
  /** What was found, in words, if the program had died with the file open; empty if it was closed. */
  recovered: string;
}
