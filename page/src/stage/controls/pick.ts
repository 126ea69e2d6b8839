/** What is under a pointer: the nearest bone, and the point of it that a hand would take. */

import type { Viewer } from "../viewer";
import { rayTriangles, type Ray } from "../../geometry/ray";
import { nearestOnBone } from "../../geometry/segments";
import { distance, dot, sub, toBody, toWorld, unrotate, type Vec } from "../../geometry/vectors";
import type { Moment, Shape, World } from "../world";

export interface Pick {
  body: number;
  /** On the surface, in the world. */
  hit: Vec;
  /** On the bone, along its axes. */
  point: Vec;
}

const RING = [0, 1, 2, 3, 4, 5].map((k): [number, number] => [Math.cos((k * Math.PI) / 3), Math.sin((k * Math.PI) / 3)]);

/** Look under the pointer, then a little around it: thin things are hard to hit. */
export function pickBone(viewer: Viewer, x: number, y: number, slack: number): Pick | null {
  const direct = pickRay(viewer, viewer.ray(x, y));
  if (direct) return direct;
  for (const [dx, dy] of RING) {
    const found = pickRay(viewer, viewer.ray(x + slack * dx, y + slack * dy));
    if (found) return found;
  }
  return null;
}

function pickRay(viewer: Viewer, ray: Ray): Pick | null {
  const { world, figure } = viewer;
  const moment = viewer.moment;
  if (!world || !figure || !moment) return null;
  const best = nearest(pickSurface(viewer, world, ray), pickShapes(viewer, world, moment, ray));
  if (!best || best.body < 0) return null;
  const inside = toBody(moment.poses, best.body, best.hit);
  return { body: best.body, hit: best.hit, point: nearestOnBone(inside, world.segments[best.body] ?? []) };
}

interface Hit {
  body: number;
  hit: Vec;
  far: number;
}

const nearest = (a: Hit | null, b: Hit | null): Hit | null => (!a ? b : !b ? a : a.far <= b.far ? a : b);

function pickSurface(viewer: Viewer, world: World, ray: Ray): Hit | null {
  const positions = viewer.surfacePositions();
  const moment = viewer.moment;
  if (!world.skin || !positions || !moment) return null;
  const found = rayTriangles(ray, positions, world.skin.triangles);
  if (!found) return null;
  const bone = world.skin.bones[world.skin.triangles[3 * found.triangle] as number] ?? -1;
  return { body: bone >= 0 ? bone : closestBone(world, moment, found.point), hit: found.point, far: found.distance };
}

/** In the axes of each body its shapes stand still: the ray is turned instead. */
function pickShapes(viewer: Viewer, world: World, moment: Moment, ray: Ray): Hit | null {
  let best: Hit | null = null;
  for (const shape of world.shapes) {
    if ((shape.covered && !viewer.coveredShown) || !mayHit(shape, moment, ray, best?.far ?? Infinity)) continue;
    const local = shape.body < 0 ? ray : { origin: toBody(moment.poses, shape.body, ray.origin), direction: unrotate(moment.poses, 7 * shape.body + 3, ray.direction) };
    const found = rayTriangles(local, shape.form.points, shape.form.triangles);
    if (!found) continue;
    const d = found.distance;
    const hit: Vec = [ray.origin[0] + d * ray.direction[0], ray.origin[1] + d * ray.direction[1], ray.origin[2] + d * ray.direction[2]];
    best = nearest(best, { body: shape.body, hit, far: d });
  }
  return best;
}

/** Whether a ray comes near a shape, and nearer than `far`: most of a crowd is not under the pointer. */
function mayHit({ body, form }: Shape, { poses }: Moment, ray: Ray, far: number): boolean {
  const { center, radius } = form.ball;
  const arm = sub(body < 0 ? center : toWorld(poses, body, center), ray.origin);
  const along = dot(arm, ray.direction);
  return along > -radius && along - radius < far && dot(arm, arm) - along * along <= radius * radius * 1.0001;
}

function closestBone(world: World, moment: Moment, point: Vec): number {
  let [best, least] = [-1, Infinity];
  world.segments.forEach((segments, body) => {
    const inside = toBody(moment.poses, body, point);
    const gap = distance(inside, nearestOnBone(inside, segments));
    if (gap < least) [best, least] = [body, gap];
  });
  return best;
}
