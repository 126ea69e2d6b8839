/** Boxes and balls around points. */

import { distance, type Vec } from "./vectors";

export interface Ball {
  center: Vec;
  radius: number;
}

/** Corners of the box that holds points, three numbers each. */
export function findBoxCorners(points: ArrayLike<number>): Vec[] {
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
export function fitBall(points: Vec[]): Ball {
  const [low, high] = boxOf(points.flat());
  const center: Vec = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  return { center, radius: points.reduce((most, point) => Math.max(most, distance(point, center)), 1e-3) };
}
