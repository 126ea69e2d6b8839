/**
 * Loop subdivision: a coarse surface is drawn round. Each step gives four triangles for one; as every new vertex is a fixed
 * average of old ones, the steps are worked out once per scene and cost a frame only the product with their weights.
 */

import { composeRows, makeRows, type Rows } from "./rows";

export interface Refined {
  rows: Rows;
  triangles: Uint32Array;
  /** Of each new vertex: an old one that it is nearest to. */
  nearest: Uint32Array;
}

interface Edge {
  a: number;
  b: number;
  /** Third corners of its triangles. */
  across: number[];
  vertex: number;
}

/** Refine until another step would give more than `most` triangles. */
export function refineSurface(count: number, triangles: Uint32Array, most: number): Refined {
  let result: Refined = { rows: identity(count), triangles, nearest: Uint32Array.from({ length: count }, (_, k) => k) };
  while (result.triangles.length > 0 && (4 * result.triangles.length) / 3 <= most) {
    const step = refineOnce(result.nearest.length, result.triangles);
    result = {
      rows: composeRows(step.rows, result.rows),
      triangles: step.triangles,
      nearest: step.nearest.map((k) => result.nearest[k] as number),
    };
  }
  return result;
}

export function refineOnce(count: number, triangles: Uint32Array): Refined {
  const edges = findEdges(count, triangles);
  const lists = vertexRules(count, edges.list);
  const nearest = Array.from({ length: count }, (_, k) => k);
  for (const edge of edges.list) {
    lists.push(edgeRule(edge));
    nearest.push(edge.a);
  }
  return { rows: makeRows(lists), triangles: split(triangles, edges.of), nearest: Uint32Array.from(nearest) };
}

function identity(count: number): Rows {
  return makeRows(Array.from({ length: count }, (_, k) => new Map([[k, 1]])));
}

function findEdges(count: number, triangles: Uint32Array) {
  const found = new Map<number, Edge>();
  const list: Edge[] = [];
  const of = (i: number, j: number): Edge => {
    const key = Math.min(i, j) * count + Math.max(i, j);
    let edge = found.get(key);
    if (!edge) {
      edge = { a: i, b: j, across: [], vertex: count + list.length };
      found.set(key, edge);
      list.push(edge);
    }
    return edge;
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t] as number, triangles[t + 1] as number, triangles[t + 2] as number];
    of(a, b).across.push(c);
    of(b, c).across.push(a);
    of(c, a).across.push(b);
  }
  return { list, of };
}

/** 3/8 of its ends and 1/8 of the corners across; an edge of the border is halved. */
function edgeRule({ a, b, across }: Edge): Map<number, number> {
  if (across.length !== 2) return new Map([[a, 0.5], [b, 0.5]]);
  const [c, d] = across as [number, number];
  return new Map([[a, 3 / 8], [b, 3 / 8], [c, 1 / 8], [d, 1 / 8]]);
}

/** (1 - n beta) of itself and beta of each neighbour; on the border 3/4 and 1/8 of both neighbours there. */
function vertexRules(count: number, edges: Edge[]): Map<number, number>[] {
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  const border: number[][] = Array.from({ length: count }, () => []);
  for (const { a, b, across } of edges) {
    const lists = across.length === 2 ? neighbours : border;
    (lists[a] as number[]).push(b);
    (lists[b] as number[]).push(a);
  }
  return neighbours.map((inner, k) => {
    const rim = border[k] as number[];
    if (rim.length === 2) return new Map([[k, 3 / 4], ...rim.map((j) => [j, 1 / 8] as const)]);
    if (rim.length > 0 || inner.length < 3) return new Map([[k, 1]]);
    const beta = inner.length === 3 ? 3 / 16 : 3 / (8 * inner.length);
    return new Map([[k, 1 - inner.length * beta], ...inner.map((j) => [j, beta] as const)]);
  });
}

function split(triangles: Uint32Array, of: (i: number, j: number) => Edge): Uint32Array {
  const out = new Uint32Array(4 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t] as number, triangles[t + 1] as number, triangles[t + 2] as number];
    const [ab, bc, ca] = [of(a, b).vertex, of(b, c).vertex, of(c, a).vertex];
    out.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], 4 * t);
  }
  return out;
}
