// Written by `python -m stringless.studio.typescript` from messages.py and frames.py of the studio. Do not edit.

/** Counted up whenever an older page would misunderstand a newer studio. */
export const VERSION = 5;

/** First byte. */
export const FIRST_BYTE = {
  MESSAGE: 0,
  FRAME: 1,
  GHOSTS: 2,
} as const;

/** Flags of a frame. */
export const FLAG = {
  LIVE: 1,
  PRESENT: 2,
  STALE: 4,
  DIRECTED: 8,
  TOUCHING: 16,
} as const;

/** Roles of ghosts. */
export const ROLE = {
  AHEAD: 0,
  BEFORE: 1,
  POSE: 2,
} as const;

/** Numbers that tell of a goal. */
export const GOAL = 11;

/** Bytes of a frame's header, and where each part of it begins. */
export const FRAME_HEADER = {
  size: 72,
  kind: 0,
  version: 1,
  flags: 2,
  sequence: 4,
  epoch: 8,
  input: 12,
  time: 16,
  wait: 24,
  real_time: 28,
  kinetic: 32,
  potential: 36,
  bodies: 40,
  nodes: 44,
  contacts: 48,
  goals: 52,
  flagged: 56,
  effort: 60,
  moving: 64,
  placed: 68,
} as const;

/** The same of ghosts. */
export const GHOSTS_HEADER = {
  size: 24,
  kind: 0,
  version: 1,
  role: 2,
  epoch: 4,
  count: 8,
  bodies: 12,
  nodes: 16,
  reserved: 20,
} as const;

export type Vector = [number, number, number];

/** x, y, z, w. */
export type Quaternion = [number, number, number, number];

/** First of all: who is there. Answered by `Welcome`. */
export interface Hello {
  type: "hello";
  version: number;
  name?: string;
  /** Whether it only wants to look. One that does not becomes the director if there is none. */
  watch?: boolean;
  /** A word of its own by which a page is known when it comes back after its connection was lost; empty for none. */
  key?: string;
}

/** Carry out a command of the project or an action of the studio; answered by `Answer` or `Refusal`. */
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
 * Kind `edit` drags the motion that is open in the editor: `options` say `time`, the moment of the motion [s], and `what`:
 * `point` of the bone, `center` of gravity of the character, `turn`, of the bone by an orientation in the world, or `bend`, by
 * one in its parent; or they say `nail`, whose target the hand then moves. All until it lets go is one step of undo.
 */
export interface Grab {
  type: "grab";
  id: number;
  /** Which hand: any number that no other hand has. */
  pointer: number;
  kind?: "drag" | "center" | "turn" | "edit";
  /** What is dragged; of a centre of gravity or a turn, any bone of the character. */
  bone?: string;
  /** Of the bone that is held, along the bone's axes. */
  point?: Vector;
  target?: Vector | null;
  orientation?: Quaternion | null;
  /** Of the goal: priority, firmness, push, axes and so on. */
  options?: Record<string, unknown>;
}

/** A hand moves: only the newest counts. */
export interface Move {
  type: "move";
  pointer: number;
  /** Comes back in the first frame that knows of it. */
  sequence: number;
  target?: Vector | null;
  orientation?: Quaternion | null;
}

/** A hand lets go, and the goal with it unless `keep`. */
export interface Release {
  type: "release";
  id: number;
  pointer: number;
  keep?: boolean;
}

/** Look at a moment on record: only the newest counts. */
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
  /** Ghosts of what is to come. */
  ahead?: boolean;
  /** How far to look ahead [s]. */
  horizon?: number;
  /** How many ghosts of what has been. */
  before?: number;
  /** Time from one of them to the next [s]. */
  spacing?: number;
  /** What a step costs, with engine `adaptive`; measured now and then beside the simulation. */
  cost?: boolean;
}

/**
 * From where this page looks, said now and then while its camera moves: only the newest counts.
 *
 * With engine `adaptive` and if the view is followed, joints are spent where the page that directs would see them.
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
  /** Width by height. */
  aspect: number;
}

/** A frame has been drawn; at most two are under way. */
export interface Acknowledge {
  type: "acknowledge";
  sequence: number;
}

export type FromPage = Hello | Do | Grab | Move | Release | Seek | Wishes | Look | Acknowledge;

/** Answers `Hello`. */
export interface Welcome {
  type: "welcome";
  version: number;
  software: string;
  /** The number of this connection. */
  page: number;
  /** Another one means that the studio was started anew. */
  session: string;
  commands: CommandInfo[];
  /** Kinds of files that can be written. */
  keep: string[];
}

/** A command or action, as a list would show it. */
export interface CommandInfo {
  name: string;
  summary: string;
  signature: string;
}

/** A bone. */
export interface BodyInfo {
  name: string;
  /** -1 for the world. */
  parent: number;
  /** -1 if nobody can direct it. */
  character: number;
  /** Of its joint on the parent, at the neutral configuration. */
  place: Vector;
  mass: number;
  joint: string;
  /** Of the joint. */
  kind: string;
  /** Its first coordinate among the velocities and efforts. */
  v: number;
  nv: number;
  limits: [number, number][];
  /** What each of its actuators can give; a number without bound is -1. */
  effort: number[];
  stiffness: number[];
  damping: number[];
}

/** Triangles that shapes are drawn with, along the axes of their bodies. */
export interface MeshInfo {
  /** float32, three each [m]. */
  points: Uint8Array;
  /** uint32, three each. */
  triangles: Uint8Array;
  /** Whether triangles that share a vertex also share its normal; if not, edges that are steep are sharp. */
  smooth: boolean;
}

/** A shape that is drawn. Those that look alike share a mesh. */
export interface ShapeInfo {
  /** -1 for the world. */
  body: number;
  /** Its place among the scene's meshes. */
  mesh: number;
  /** Whether flesh hides it. */
  covered: boolean;
  color: [number, number, number, number];
}

/** Flesh: a surface that nodes of a cage carry, at most four each. */
export interface FleshInfo {
  nodes: number;
  /** float32, of each node [kg]. */
  masses: Uint8Array;
  /** uint8, of each node: 1 if it is fixed to a bone. */
  fixed: Uint8Array;
  /** int32, of each node: the bone it belongs to, -1 for the ground. */
  bones: Uint8Array;
  /** uint32, four nodes each. */
  tets: Uint8Array;
  /** uint32, four nodes of each vertex of the surface. */
  carriers: Uint8Array;
  /** float32, four of each vertex. */
  weights: Uint8Array;
  /** uint32, three vertices each. */
  triangles: Uint8Array;
  /** float32, three of each vertex; empty for the default. */
  colors: Uint8Array;
  /** int32, of each vertex: the bone nearest to it. */
  vertex_bones: Uint8Array;
}

/** Bones that hang together and can be directed. */
export interface CharacterInfo {
  name: string;
  root: number;
  bodies: number[];
  size: number;
  /** Whether its root moves freely, so that it can be turned and its centre of gravity dragged. */
  root_free: boolean;
}

/** What there is to draw. Frames say by `epoch` which scene they are of. */
export interface Scene {
  type: "scene";
  epoch: number;
  name: string;
  description: string;
  bodies: BodyInfo[];
  characters: CharacterInfo[];
  meshes: MeshInfo[];
  shapes: ShapeInfo[];
  flesh: FleshInfo | null;
  /** Height of the ground [m]; null if there is none. */
  floor: number | null;
  gravity: Vector;
  /** Middle of the stage, for the first look. */
  center: Vector;
  /** Size of the stage [m]. */
  extent: number;
}

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
  /** What was found if the program had died with the file open. */
  recovered: string;
}

/** Something that takes a while before anything can be shown. */
export interface Preparation {
  text: string;
  done: number;
  /** 0 if nobody knows. */
  total: number;
}

/** Something long that goes on beside everything else, and can be cancelled by `cancel_job`. */
export interface JobInfo {
  id: number;
  title: string;
  /** 0 to 1. */
  done: number;
  state: "running" | "finished" | "failed" | "cancelled";
  text: string;
  /** Where the result is to be fetched; empty if there is none. */
  download: string;
}

/** How much of the characters moves, with engine `adaptive`. */
export interface DetailInfo {
  /** Joints that move now; a floating root does not count. */
  moving: number;
  /** All that could. */
  joints: number;
  /** Joints of the character that has most of them. */
  most: number;
  /** How many have joints. */
  characters: number;
  /** Of holding the others, at the last choices, summed over the characters; -1 if nobody has asked for a bound. */
  error: number;
  /** What a step takes as it is now [µs]; -1 if it was not measured. */
  step: number;
  /** What a step would take if all joints moved [µs]; -1 if it was not measured. */
  whole: number;
  /** Whether joints are spent where the page that directs sees them; action `follow_view` says so. */
  follows: boolean;
  /** Joints that move of the character that is seen largest; -1 if nobody looks, or the record is shown. */
  near: number;
  /** The same of the one that is seen smallest. */
  far: number;
  /** Characters that are out of the picture, of which no joint moves. */
  hidden: number;
  /** Characters that have come to rest on something, and cost nothing; 0 if the record is shown. */
  asleep: number;
}

/** How it stands, several times a second. */
export interface Status {
  type: "status";
  mode: "paused" | "live" | "replay";
  time: number;
  lane: number | null;
  /** Whether the simulation itself is looked at, and not the record. */
  present: boolean;
  /** Whether what is looked at is not what would happen now. */
  stale: boolean;
  /** Seconds simulated per second wanted; -1 for as fast as possible. */
  rate: number;
  begin: number;
  /** Of the lane that is looked at [s]. */
  end: number;
  loop: boolean;
  /** That is replayed [s]. */
  range: [number, number] | null;
  /** Seconds simulated per second of work: above 1 it could run faster. */
  real_time: number;
  /** Sent per second to this page. */
  frames: number;
  /** From an input's arrival to the frame that knows of it, median of the last ones [ms]; -1 if there were none. */
  latency: number;
  /** The page that directs. */
  director: number | null;
  pages: number;
  posing: boolean;
  auto_key: boolean;
  preparing: Preparation | null;
  /** Why the simulation stopped by itself; it then stands at the last good moment. */
  trouble: string;
  /** Joints that a limit holds back, and which one. */
  at_limits: Record<string, string>;
  /** Actuators at their limit. */
  saturated: number;
  /** null unless the engine is `adaptive`. */
  detail: DetailInfo | null;
  jobs: JobInfo[];
}

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
  nails: NailInfo[];
  /** Attributes that stay as they are, each with a body, or with nothing for all bodies. */
  locked: [string, string][];
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

/** Lines of Python that do what was done since the last ones. */
export interface Log {
  type: "log";
  lines: string[];
  /** Whether they replace all before. */
  reset: boolean;
}

/** What came of a `Do`, `Grab` or `Release`. */
export interface Answer {
  type: "answer";
  id: number;
  result: unknown;
}

/** Why something was not done; nothing has changed then. `id` is null if the message had none that could be read. */
export interface Refusal {
  type: "refusal";
  id: number | null;
  error: string;
}

/** Something that a person should read. */
export interface Notice {
  type: "notice";
  level: "info" | "warning" | "error";
  text: string;
}

export type FromStudio = Welcome | Scene | Document | Status | Edit | Log | Answer | Refusal | Notice;
