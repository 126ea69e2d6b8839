/** Balls around a character, and around one of its bones. */

import { fitBall, type Ball } from "../geometry/ball";
import { toWorld, type Vec } from "../geometry/vectors";
import type { Moment, World } from "./world";

/** Around everything that can be directed; around the stage if nothing can. */
export function fitBallOfScene(world: World, { poses, nodes }: Moment): Ball {
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
  return points.length > 0 ? fitBall(points) : { center: scene.center, radius: scene.extent / 2 };
}

/** Around a bone with some of its surroundings; null if there is no such bone. */
export function fitBallOfBone(world: World, { poses }: Moment, body: number): Ball | null {
  const lines = world.segments[body];
  if (!lines) return null;
  const ball = fitBall(lines.flatMap(([a, b]) => [toWorld(poses, body, a), toWorld(poses, body, b)]));
  return { center: ball.center, radius: Math.max(2 * ball.radius, 0.15 * world.size) };
}
