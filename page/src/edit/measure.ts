/** How large signs of an edit are: as the character or, if that is small beside its motion, as a share of the motion. */

import type { Vec } from "../view/geometry/vectors";
import type { World } from "../view/world";
import { ballAround, type Ball } from "../view/geometry/ball";
import { centerPath, pathOf } from "./motion";
import { edit } from "../store";
import { motion } from "./state";
import { end } from "./trails";
import { editing } from "./workspace";

const SHARE = 0.2;
let known: { epoch: number; size: number } | null = null;

/** Around the whole motion and what is wanted of it; null if none is open. */
export function ballOfMotion(world: World): Ball | null {
  const open = motion.peek();
  if (!open || open.epoch !== world.scene.epoch) return null;
  const points = centerPath(open);
  for (let body = 0; body < open.bodies; body++) {
    points.push(...pathOf(open.poses, open, body), ...pathOf(open.poses, open, body, end(world, body)));
  }
  for (const nail of edit.peek()?.nails ?? []) if (nail.kind === "point" || nail.kind === "center") points.push(nail.target.slice(0, 3) as Vec);
  if (points.length === 0) return null;
  const ball = ballAround(points);
  // What stands beside it tells where it goes: a hoop, a bar. A ground that goes on and on does not.
  const beside = world.shapes.filter(({ body, form }) => body < 0 && form.ball.radius < ball.radius).flatMap(({ form }) => form.corners);
  return beside.length > 0 ? ballAround([...points, ...beside]) : ball;
}

/** The same from the opening of a motion until it is closed: arrows must not grow while they are dragged. */
export function signSize(world: World): number {
  if (!editing.peek()) known = null;
  if (known?.epoch === world.scene.epoch) return known.size;
  const ball = ballOfMotion(world);
  if (!ball) return world.size;
  known = { epoch: world.scene.epoch, size: Math.max(world.size, SHARE * ball.radius) };
  return known.size;
}
