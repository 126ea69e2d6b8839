/** A ball around a character, or around one of its bones. */

import type { Moment, World } from "../world";
import { distance, toWorld, type Vec } from "./vectors";

export interface Ball {
  center: Vec;
  radius: number;
}

/** Around everything that can be directed; around the stage if nothing can. */
export function ballOf(world: World, { poses, nodes }: Moment): Ball {
  const { scene, segments } = world;
  const points: Vec[] = [];
  scene.bodies.forEach((body, k) => {
    if (body.character < 0 && scene.characters.length > 0) return;
    for (const [a, b] of segments[k] ?? []) points.push(toWorld(poses, k, a), toWorld(poses, k, b));
  });
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

/** Around the middle of the box that holds the points. */
export function ballAround(points: Vec[]): Ball {
  const low: Vec = [Infinity, Infinity, Infinity];
  const high: Vec = [-Infinity, -Infinity, -Infinity];
  for (const point of points) {
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i] as number, point[i] as number);
      high[i] = Math.max(high[i] as number, point[i] as number);
    }
  }
  const center: Vec = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  return { center, radius: points.reduce((most, point) => Math.max(most, distance(point, center)), 1e-3) };
}
