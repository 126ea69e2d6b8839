// Written by `python -m stringless.studio.typescript` from messages/scene.py of the studio. Do not edit.

import type { Vector } from "./basic";

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
  /** About which alone it turns, along the axes of its parent; null if its joint is no hinge. */
  axis: Vector | null;
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
  pulls: PullInfo[];
  /** Joints that close a ring of bodies. */
  loops: number;
  /** Height of the ground [m]; null if there is none. */
  floor: number | null;
  gravity: Vector;
  /** Middle of the stage, for the first look. */
  center: Vector;
  /** Size of the stage [m]. */
  extent: number;
}
