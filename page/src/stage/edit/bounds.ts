/** How large signs of an edit are: as the character or, if that is small beside its motion, as a share of the motion. */

import type { Vec } from "../../geometry/vectors";
import type { World } from "../world";
import { fitBall } from "../../geometry/ball";
import { traceCenter, tracePath } from "../../store/edit/motion";
import { edit } from "../../store";
import { motion } from "../../store/edit/state";
import { findEnd } from "./trails";
import { editing } from "../../store/workspace";

const SHARE = 0.2;
let known: { epoch: number; size: number } | null = null;

/** Where the bodies of the motion that is open come by; null if none is open. */
function waysOf(world: World): Vec[] | null {
  const open = motion.peek();
  if (!open || open.epoch !== world.scene.epoch || open.times.length === 0) return null;
  const ways = traceCenter(open);
  for (let body = 0; body < open.bodies; body++) {
    ways.push(...tracePath(open.poses, open, body), ...tracePath(open.poses, open, body, findEnd(world, body)));
  }
  return ways;
}

/** All that is to be seen of the motion that is open, and of what is wanted of it; null if none is open. */
export function findMotionPoints(world: World): Vec[] | null {
  const points = waysOf(world);
  if (!points) return null;
  for (const nail of edit.peek()?.nails ?? []) if (nail.kind === "point" || nail.kind === "center") points.push(nail.target.slice(0, 3) as Vec);
  // What stands beside it tells where it goes: a hoop, a bar. A ground that goes on and on does not.
  const { radius } = fitBall(points);
  return [...points, ...world.shapes.filter(({ body, form }) => body < 0 && form.ball.radius < radius).flatMap(({ form }) => form.corners)];
}

/** What is as long as wide, seen from above, has no better side. */
const STRAIGHT = 1.5;

/** The azimuth from which one sees most of these places, those of `path` from left to right; null if it is all the same. */
export function findSide(places: readonly Vec[], path: readonly Vec[]): number | null {
  const [x, z] = [0, 2].map((c) => places.reduce((sum, place) => sum + (place[c] as number), 0) / places.length) as [number, number];
  let [xx, xz, zz] = [0, 0, 0];
  for (const place of places) {
    const [dx, dz] = [place[0] - x, place[2] - z];
    xx += dx * dx;
    xz += dx * dz;
    zz += dz * dz;
  }
  const [mean, apart] = [(xx + zz) / 2, Math.hypot((xx - zz) / 2, xz)];
  if (!(mean + apart > STRAIGHT ** 2 * (mean - apart)) || mean + apart < 1e-9) return null;
  const along = 0.5 * Math.atan2(2 * xz, xx - zz);
  const [first, last] = [path[0] as Vec, path[path.length - 1] as Vec];
  const forth = Math.cos(along) * (last[0] - first[0]) + Math.sin(along) * (last[2] - first[2]);
  return forth < 0 ? Math.PI - along : -along;
}

/** The same of the motion that is open. */
export function findMotionSide(world: World): number | null {
  const [open, ways] = [motion.peek(), waysOf(world)];
  return open && ways ? findSide(ways, traceCenter(open)) : null;
}

/** The same from the opening of a motion until it is closed: arrows must not grow while they are dragged. */
export function findSignSize(world: World): number {
  if (!editing.peek()) known = null;
  if (known?.epoch === world.scene.epoch) return known.size;
  const points = findMotionPoints(world);
  if (!points) return world.size;
  known = { epoch: world.scene.epoch, size: Math.max(world.size, SHARE * fitBall(points).radius) };
  return known.size;
}
