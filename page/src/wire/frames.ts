/** Frames and ghosts as they come over the wire; the layout is that of `studio/frames.py`. */

import { FLAG, FRAME_HEADER, GHOSTS_HEADER, GOAL } from "./messages";

/** What changes at every moment. The arrays look into the message that brought them, nothing is copied. */
export interface Frame {
  sequence: number;
  epoch: number;
  /** Newest move that it knows of. */
  input: number;
  time: number;
  /** From that move's arrival at the studio to this frame [ms]; negative if it was told before. */
  wait: number;
  realTime: number;
  kinetic: number;
  potential: number;
  live: boolean;
  present: boolean;
  stale: boolean;
  directed: boolean;
  /** Of each body: position and quaternion, 7 numbers. Empty on the wire where bodies are told by their parents. */
  poses: Float32Array;
  /** Of each node of the flesh: position. */
  nodes: Float32Array;
  /** Centre of gravity and its velocity. */
  center: Float32Array;
  /** Of each contact: point and force, 6 numbers. */
  contacts: Float32Array;
  /** Of each goal: number, where it is, where it shall be, distance, force of its spring; 11 numbers. */
  goals: Float32Array;
  flagged: Uint32Array;
  effort: Float32Array;
  /** A bit of each body, the lowest first: whether its joint was chosen to move. Empty where nothing was chosen. */
  moving: Uint32Array;
  /** Bodies that are told by their parents: those whose joint has moved since the frame before. */
  placed: Uint32Array;
  /** Of each of these: position and quaternion in its parent, 7 numbers. */
  places: Float32Array;
}

/** Several moments at once. */
export interface Ghosts {
  role: number;
  epoch: number;
  bodies: number;
  nodeCount: number;
  time: Float32Array;
  poses: Float32Array;
  nodes: Float32Array;
  centers: Float32Array;
}

const H = FRAME_HEADER;
const G = GHOSTS_HEADER;

export function readFrame(buffer: ArrayBuffer): Frame {
  const view = new DataView(buffer);
  const u32 = (offset: number) => view.getUint32(offset, true);
  const f32 = (offset: number) => view.getFloat32(offset, true);
  const flags = view.getUint16(H.flags, true);
  let offset: number = H.size;
  const floats = (count: number) => {
    const part = new Float32Array(buffer, offset, count);
    offset += 4 * count;
    return part;
  };
  const poses = floats(7 * u32(H.bodies));
  const nodes = floats(3 * u32(H.nodes));
  const center = floats(6);
  const contacts = floats(6 * u32(H.contacts));
  const goals = floats(GOAL * u32(H.goals));
  const flagged = new Uint32Array(buffer, offset, u32(H.flagged));
  offset += 4 * flagged.length;
  const effort = floats(u32(H.effort));
  const moving = new Uint32Array(buffer, offset, u32(H.moving));
  offset += 4 * moving.length;
  const placed = new Uint32Array(buffer, offset, u32(H.placed));
  offset += 4 * placed.length;
  const places = floats(7 * placed.length);
  return {
    sequence: u32(H.sequence),
    epoch: u32(H.epoch),
    input: u32(H.input),
    time: view.getFloat64(H.time, true),
    wait: f32(H.wait),
    realTime: f32(H.real_time),
    kinetic: f32(H.kinetic),
    potential: f32(H.potential),
    live: (flags & FLAG.LIVE) !== 0,
    present: (flags & FLAG.PRESENT) !== 0,
    stale: (flags & FLAG.STALE) !== 0,
    directed: (flags & FLAG.DIRECTED) !== 0,
    poses,
    nodes,
    center,
    contacts,
    goals,
    flagged,
    effort,
    moving,
    placed,
    places,
  };
}

/** Whether the joint of a body moves, by the bits of a frame. */
export function moves(words: Uint32Array, body: number): boolean {
  return (((words[body >>> 5] ?? 0) >>> (body & 31)) & 1) === 1;
}

export function readGhosts(buffer: ArrayBuffer): Ghosts {
  const view = new DataView(buffer);
  const u32 = (offset: number) => view.getUint32(offset, true);
  const [count, bodies, nodeCount] = [u32(G.count), u32(G.bodies), u32(G.nodes)];
  let offset: number = G.size;
  const floats = (length: number) => {
    const part = new Float32Array(buffer, offset, length);
    offset += 4 * length;
    return part;
  };
  return {
    role: view.getUint16(G.role, true),
    epoch: u32(G.epoch),
    bodies,
    nodeCount,
    time: floats(count),
    poses: floats(7 * count * bodies),
    nodes: floats(3 * count * nodeCount),
    centers: floats(3 * count),
  };
}
