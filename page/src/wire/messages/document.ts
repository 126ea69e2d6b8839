// Written by `python tools/typescript.py` from messages/document.py of the studio. Do not edit.

import type { Vector } from "./basic";

/** A goal of the director. */
export interface GoalInfo {
  id: number;
  kind: string;
  character: number;
  /** Empty if it concerns the whole character. */
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
  /** Whether it holds an orientation. */
  turns: boolean;
  /** Whether a hand holds it now. */
  held: boolean;
  /** Of all fields that its kind has, by name. */
  values: Record<string, unknown>;
}

/** Something that can be set on a goal. */
export interface GoalFieldInfo {
  name: string;
  label: string;
  help: string;
  kind: "number" | "switch" | "axes";
  unit: string;
  /** Ends of a sensible range. */
  low: number;
  high: number;
  step: number | null;
  /** Whether equal ways on a slider are equal factors. */
  log: boolean;
  /** null if that differs from goal to goal. */
  usual: number | null;
  /** What it is called when it is null; empty if it must have a value. */
  unset: string;
}

/** A kind of goal. */
export interface GoalKindInfo {
  kind: string;
  label: string;
  help: string;
  icon: string;
  /** Of its error. */
  unit: "m" | "rad";
  /** What a hand can give it. */
  moves: ("target" | "orientation")[];
  /** Whether dragging can begin one. */
  by_hand: boolean;
  fields: GoalFieldInfo[];
}

/** A track of keyframes. */
export interface TrackInfo {
  id: number;
  joints: string[];
  /** Of the keys, in the time of the track [s]: time t of it is played at `started + (t - begin) / rate` of the take. */
  times: number[];
  playing: boolean;
  started: number;
  begin: number;
  rate: number;
}

/** A branch of the take. */
export interface LaneInfo {
  id: number;
  name: string;
  parent: number | null;
  /** Where it leaves its parent [s]. */
  start: number;
  /** Time of its first frame, that of its parents included [s]. */
  begin: number;
  end: number;
  deleted: boolean;
  /** Time from which on it is out of date [s]; null if all of it is up to date. */
  stale: number | null;
}

/** What acted from when to when, on the branch that is shown. */
export interface SpanInfo {
  /** A kind of goal, or `passive`, `keyframes` or `directed`. */
  kind: string;
  start: number;
  /** null if it still acts. */
  end: number | null;
}

/** A named time. */
export interface MarkerInfo {
  name: string;
  time: number;
}

/** What moves a joint. */
export interface JointState {
  name: string;
  state: "directed" | "passive" | "keyframes" | "free";
  weight: number;
  stiffness: number;
  damping: number;
}

/** The whole document, sent whenever it has changed. */
export interface Document {
  type: "document";
  revision: number;
  /** Empty while the project has no file of its own. */
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
  /** How states are advanced. With `stiff`, goals are springs that pull from outside, and frames contain their forces. */
  engine: "reduced" | "stiff" | "adaptive";
  /** What the engine can do: names of `stringless.engines.Feature` in lower case. */
  supports: string[];
  /** Step that the scene is made for [s]; `parameters` has the one in use. */
  step: number;
  /** Of the simulation; under `flesh` those of each part of the flesh. */
  parameters: Record<string, unknown>;
  /** Label of the step that undo would take back; empty if there is none. */
  undo: string;
  redo: string;
  /** What was found, in words, if the file was not closed cleanly; empty if it was. */
  recovered: string;
}
