/** The axis of each bone, along its own axes: lines from its joint to those of its children, or to the end of its shape. */

import type { BodyInfo } from "../wire/messages";
import { add, distance, dot, mix, norm, scale, sub, type Vec } from "./vectors";

export type Segment = [Vec, Vec];

const TINY = 1e-5;

/** The points of a shape; shapes that look alike share them. */
type Points = { points: Float32Array };

export function boneSegments(bodies: BodyInfo[], formsOf: (body: number) => Points[]): Segment[][] {
  const known = new Map<Points | undefined, Segment[]>();
  const children: Vec[][] = bodies.map(() => []);
  for (const body of bodies) if (body.parent >= 0) children[body.parent]?.push(body.place);
  return bodies.map((_, k) => {
    const ends = (children[k] as Vec[]).filter((end) => norm(end) > TINY);
    if (ends.length > 0) return ends.map((end): Segment => [[0, 0, 0], end]);
    const forms = formsOf(k);
    if (forms.length > 1) return shapeSegment(forms);
    // The same bone of a crowd is looked at once.
    const found = known.get(forms[0]) ?? shapeSegment(forms);
    known.set(forms[0], found);
    return found;
  });
}

/** From the joint to the far end of the shape; through the whole shape if the joint is in its middle. */
function shapeSegment(shapes: Points[]): Segment[] {
  const points = shapes.flatMap((shape) => toPoints(shape.points));
  if (points.length === 0) return [[[0, 0, 0], [0, 0, 0]]];
  const middle = scale(points.reduce(add), 1 / points.length);
  const axis = longAxis(points, middle);
  const along = points.map((p) => dot(sub(p, middle), axis));
  const [low, high] = [least(along), -least(along.map((s) => -s))];
  const [a, b] = [add(middle, scale(axis, low)), add(middle, scale(axis, high))];
  const [near, far] = norm(a) < norm(b) ? [a, b] : [b, a];
  // A joint well inside the shape leaves bone on both sides of it.
  if (norm(near) > 0.3 * norm(far)) return [[near, far]];
  return [[[0, 0, 0], far]];
}

function least(values: number[]): number {
  let found = Infinity;
  for (const value of values) if (value < found) found = value;
  return found;
}

function toPoints(flat: Float32Array): Vec[] {
  const points: Vec[] = [];
  for (let k = 0; k + 2 < flat.length; k += 3) {
    points.push([flat[k] as number, flat[k + 1] as number, flat[k + 2] as number]);
  }
  return points;
}

/** The direction in which points spread most, by power iteration on their covariance. */
function longAxis(points: Vec[], middle: Vec): Vec {
  let axis: Vec = [0.53, 0.61, 0.59];
  for (let round = 0; round < 24; round++) {
    let sum: Vec = [0, 0, 0];
    for (const point of points) {
      const arm = sub(point, middle);
      sum = add(sum, scale(arm, dot(arm, axis)));
    }
    const length = norm(sum);
    if (length < 1e-20) return axis;
    axis = scale(sum, 1 / length);
  }
  return axis;
}

export function nearestOnSegment(point: Vec, [a, b]: Segment): Vec {
  const along = sub(b, a);
  const square = dot(along, along);
  if (square < TINY * TINY) return a;
  const t = Math.min(1, Math.max(0, dot(sub(point, a), along) / square));
  return mix(a, b, t);
}

/** The point of a bone's axis that is nearest to a point; both along the bone's axes. */
export function nearestOnBone(point: Vec, segments: Segment[]): Vec {
  let best: Vec = [0, 0, 0];
  let least = Infinity;
  for (const segment of segments) {
    const candidate = nearestOnSegment(point, segment);
    const gap = distance(candidate, point);
    if (gap < least) [best, least] = [candidate, gap];
  }
  return best;
}
