/** A ball around a character, or around one of its bones. */

import type { Moment, World } from "../world";
import { distance, toWorld, type Vec } from "./vectors";

export interface Ball {
  center: Vec;
  radius: number;
}

/** Around everything that can be directed; around the stage if nothing can. */
export function ballOf(world: World, { poses, nodes }: Moment): Ball {
  const { scene, segments, shapes } = world;
  const points: Vec[] = [];
  const counts = (body: number) => body >= 0 && ((scene.bodies[body]?.character ?? -1) >= 0 || scene.characters.length === 0);
  segments.forEach((lines, body) => {
    if (counts(body)) for (const [a, b] of lines) points.push(toWorld(poses, body, a), toWorld(poses, body, b));
  });
  for (const { body, form } of shapes) {
    if (counts(body)) for (const corner of form.corners) points.push(toWorld(poses, body, corner));
  }
  for (let k = 0; k + 2 < nodes.length; k += 3) points.push([nodes[k] as number, nodes[k + 1] as number, nodes[k + 2] as number]);
  return points.length > 0 ? ballAround(points) : { center: scene.center, radius: scene.extent / 2 };
}

/** Around a bone with some of its surroundings; null if there is no such bone. */
export function ballOfBone(world: World, { poses }: Moment, body: number): Ball | null {
  const lines = world.segments[body];
  if (!lines) return null;
  const ball = ballAround(lines.flatMap(([a, b]) => [toWorld(poses, body, a), toWorld(poses, body, b)]));
  return { center: ball.center, radius: Math.max(2 * ball.radius, 0.15 * world.size) };
}

/** Corners of the box that holds points, three numbers each. */
export function boxCorners(points: ArrayLike<number>): Vec[] {
  const [low, high] = boxOf(points);
  const corners: Vec[] = [];
  for (const x of [low[0], high[0]]) for (const y of [low[1], high[1]]) for (const z of [low[2], high[2]]) corners.push([x, y, z]);
  return corners;
}

function boxOf(points: ArrayLike<number>): [Vec, Vec] {
  const low: Vec = [Infinity, Infinity, Infinity];
  const high: Vec = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < points.length; k++) {
    low[k % 3] = Math.min(low[k % 3] as number, points[k] as number);
    high[k % 3] = Math.max(high[k % 3] as number, points[k] as number);
  }
  return [low, high];
}

/** Around the middle of the box that holds the points. */
export function ballAround(points: Vec[]): Ball {
  const [low, high] = boxOf(points.flat());
  const center: Vec = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  return { center, radius: points.reduce((most, point) => Math.max(most, distance(point, center)), 1e-3) };
}
