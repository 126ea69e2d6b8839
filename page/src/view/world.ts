/** A scene, unpacked once: everything that the layers look up at each frame. */

import type { Scene } from "../wire/messages";
import { refine } from "./geometry/refine";
import { apply, carrierRows, compose, rowCount, type Rows } from "./geometry/rows";
import { boneSegments, type Segment } from "./geometry/segments";
import { norm } from "./geometry/vectors";

/** More triangles than this are not made by drawing a surface round. */
const FINE = 12_000;

export interface Shape {
  body: number;
  covered: boolean;
  color: [number, number, number, number];
  points: Float32Array;
  triangles: Uint32Array;
}

export interface Skin {
  rows: Rows;
  triangles: Uint32Array;
  /** Three of each vertex; null for the default. */
  colors: Float32Array | null;
  /** Of each vertex: the bone nearest to it. */
  bones: Int32Array;
  vertexCount: number;
}

export interface Flesh {
  nodeCount: number;
  masses: Float32Array;
  fixed: Uint8Array;
  tets: Uint32Array;
}

export interface World {
  scene: Scene;
  shapes: Shape[];
  skin: Skin | null;
  flesh: Flesh | null;
  segments: Segment[][];
  /** Height of the ground, 0 where there is none. */
  floor: number;
  /** A length that fits the characters: dots, arrows and bands are sized by it. */
  size: number;
}

export function makeWorld(scene: Scene): World {
  const shapes = scene.meshes.map(
    (mesh): Shape => ({
      body: mesh.body,
      covered: mesh.covered,
      color: mesh.color,
      points: floats(mesh.points),
      triangles: indices(mesh.triangles),
    }),
  );
  const pointsOf = (body: number) => shapes.filter((shape) => shape.body === body).map((shape) => shape.points);
  const sizes = scene.characters.map((character) => character.size);
  return {
    scene,
    shapes,
    skin: makeSkin(scene),
    flesh: makeFlesh(scene),
    segments: boneSegments(scene.bodies, pointsOf),
    floor: scene.floor ?? 0,
    size: sizes.length > 0 ? Math.max(...sizes) : scene.extent,
  };
}

/** Of everything on the stage [N]; never 0, so that forces can be measured by it. */
export function weightOf({ scene, flesh }: World): number {
  const fleshMass = flesh?.masses.reduce((sum, mass) => sum + mass, 0) ?? 0;
  const mass = scene.bodies.reduce((sum, body) => sum + Math.max(0, body.mass), fleshMass);
  return mass * (norm(scene.gravity) || 9.81) || 1;
}

function makeSkin({ flesh }: Scene): Skin | null {
  if (!flesh || flesh.triangles.byteLength === 0) return null;
  const coarse = carrierRows(indices(flesh.carriers), floats(flesh.weights));
  const fine = refine(rowCount(coarse), indices(flesh.triangles), FINE);
  const bones = integers(flesh.vertex_bones);
  const vertexCount = fine.nearest.length;
  let colors: Float32Array | null = null;
  if (flesh.colors.byteLength > 0) {
    colors = new Float32Array(3 * vertexCount);
    apply(fine.rows, floats(flesh.colors), colors);
  }
  return {
    rows: compose(fine.rows, coarse),
    triangles: fine.triangles,
    colors,
    bones: Int32Array.from(fine.nearest, (k) => bones[k] ?? -1),
    vertexCount,
  };
}

function makeFlesh({ flesh }: Scene): Flesh | null {
  if (!flesh || flesh.nodes === 0) return null;
  return {
    nodeCount: flesh.nodes,
    masses: floats(flesh.masses),
    fixed: flesh.fixed.slice(),
    tets: indices(flesh.tets),
  };
}

// Bytes in a message stand anywhere; numbers must begin at a multiple of four, hence the copies.
const floats = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);
const indices = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);
const integers = (bytes: Uint8Array): Int32Array => new Int32Array(bytes.slice().buffer);

/** What is drawn at a moment: of the simulation, or of a pose that is being made. */
export interface Moment {
  poses: Float32Array;
  nodes: Float32Array;
}
