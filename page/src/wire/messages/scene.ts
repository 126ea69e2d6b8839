// Written by `python tools/typescript.py` from messages/scene.py of the studio. Do not edit.

import type { Vector } from "./basic";

/** A bone. */
export interface BodyInfo {
  name: string;
  /** -1 for the world. */
  parent: number;
  /** -1 if it belongs to none. */
  character: number;
  /** Position of its joint on the parent, at the neutral configuration. */
  place: Vector;
  mass: number;
  joint: string;
  /** Of the joint. */
  kind: string;
  /** Index of its first coordinate among the velocities and efforts. */
  v: number;
  nv: number;
  /** Whether each of its coordinates turns; if not, it slides. */
  turns: boolean[];
  /** Whether its joint holds on to nothing, so that there is nothing to push against. */
  loose: boolean;
  limits: [number, number][];
  /** Limit of each of its actuators; -1 if it has none. */
  effort: number[];
  stiffness: number[];
  damping: number[];
  /** Hinge axis along the axes of its parent; null if its joint is no hinge. */
  axis: Vector | null;
}

/** Triangles of shapes, along the axes of their bodies. */
export interface MeshInfo {
  /** float32, three each [m]. */
  points: Uint8Array;
  /** uint32, three each. */
  triangles: Uint8Array;
  /** Whether triangles that share a vertex also share its normal; if not, steep edges are sharp. */
  smooth: boolean;
}

/** A shape to draw. Those that look alike share a mesh. */
export interface ShapeInfo {
  /** -1 for the world. */
  body: number;
  /** Its index among the scene's meshes. */
  mesh: number;
  /** Whether flesh hides it. */
  covered: boolean;
  color: [number, number, number, number];
}

/** Flesh: a surface carried by the nodes of a cage, each vertex by at most four. */
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

/** Connected bones that can be directed. */
export interface CharacterInfo {
  name: string;
  root: number;
  bodies: number[];
  size: number;
  /** Whether its root moves freely, so that it can be turned and its centre of gravity dragged. */
  root_free: boolean;
}

/** A spring with a damper from a point of a bone to one of the world: the force `k (anchor - x) - c v`. */
export interface PullInfo {
  body: number;
  /** Of the bone, along its axes. */
  point: Vector;
  /** In the world. */
  anchor: Vector;
  /** k [N/m]. */
  stiffness: number;
  /** c [N s/m]. */
  damping: number;
}

/** The scene. Frames name their scene by its `epoch`. */
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
  pulls: PullInfo[];
  /** Joints that close a ring of bodies. */
  loops: number;
  /** Height of the ground [m]; null if there is none. */
  floor: number | null;
  gravity: Vector;
  /** Middle of the scene, for the first view. */
  center: Vector;
  /** Size of the scene [m]. */
  extent: number;
}
