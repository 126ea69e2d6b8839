/** A scene, unpacked once: everything that the layers look up at each frame. */

import type { MeshInfo, Scene } from "../wire/messages";
import { findBoxCorners, type Ball } from "../geometry/ball";
import { refineSurface } from "../geometry/refine";
import { applyRows, carrierRows, composeRows, rowCount, type Rows } from "../geometry/rows";
import { boneSegments, type Segment } from "../geometry/segments";
import { distance, mix, norm, type Vec } from "../geometry/vectors";

/** More triangles than this are not made by drawing a surface round. */
const FINE = 12_000;

/** Triangles along the axes of a body. Shapes that look alike share one. */
export interface Form {
  points: Float32Array;
  triangles: Uint32Array;
  /** Whether triangles that share a vertex also share its normal. */
  smooth: boolean;
  /** Of the box around it. */
  corners: Vec[];
  /** Around all of it. */
  ball: Ball;
}

export interface Shape {
  body: number;
  covered: boolean;
  color: [number, number, number, number];
  form: Form;
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
  const forms = scene.meshes.map(makeForm);
  const shapes = scene.shapes.map(({ body, mesh, covered, color }): Shape => ({ body, covered, color, form: forms[mesh] as Form }));
  const formsOf = new Map<number, Form[]>();
  for (const { body, form } of shapes) {
    const list = formsOf.get(body);
    if (list) list.push(form);
    else formsOf.set(body, [form]);
  }
  const sizes = scene.characters.map((character) => character.size);
  return {
    scene,
    shapes,
    skin: makeSkin(scene),
    flesh: makeFlesh(scene),
    segments: boneSegments(scene.bodies, (body) => formsOf.get(body) ?? []),
    floor: scene.floor ?? 0,
    size: sizes.length > 0 ? Math.max(...sizes) : scene.extent,
  };
}

function makeForm(mesh: MeshInfo): Form {
  const points = floats(mesh.points);
  const corners = findBoxCorners(points);
  const center = mix(corners[0] as Vec, corners[7] as Vec, 0.5);
  let radius = 0;
  for (let k = 0; k + 2 < points.length; k += 3) {
    radius = Math.max(radius, distance(center, [points[k] as number, points[k + 1] as number, points[k + 2] as number]));
  }
  return { points, triangles: indices(mesh.triangles), smooth: mesh.smooth, corners, ball: { center, radius } };
}

/** Of everything on the stage [N]; never 0, so that forces can be measured by it. */
export function findWeight({ scene, flesh }: World): number {
  const fleshMass = flesh?.masses.reduce((sum, mass) => sum + mass, 0) ?? 0;
  const mass = scene.bodies.reduce((sum, body) => sum + Math.max(0, body.mass), fleshMass);
  return mass * (norm(scene.gravity) || 9.81) || 1;
}

function makeSkin({ flesh }: Scene): Skin | null {
  if (!flesh || flesh.triangles.byteLength === 0) return null;
  const coarse = carrierRows(indices(flesh.carriers), floats(flesh.weights));
  const fine = refineSurface(rowCount(coarse), indices(flesh.triangles), FINE);
  const bones = integers(flesh.vertex_bones);
  const vertexCount = fine.nearest.length;
  let colors: Float32Array | null = null;
  if (flesh.colors.byteLength > 0) {
    colors = new Float32Array(3 * vertexCount);
    applyRows(fine.rows, floats(flesh.colors), colors);
  }
  return {
    rows: composeRows(fine.rows, coarse),
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
