/** The area on which a character can stand: the convex hull of where it touches, seen from above. */

import type { Vec2 } from "./vectors";

const turn = (o: Vec2, a: Vec2, b: Vec2): number => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

/** Monotone chain; corners in counter-clockwise order, none on a straight side. */
export function convexHull(points: Vec2[]): Vec2[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (list: Vec2[]): Vec2[] => {
    const chain: Vec2[] = [];
    for (const point of list) {
      while (chain.length > 1 && turn(chain.at(-2) as Vec2, chain.at(-1) as Vec2, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** Whether a point is in a hull; a hull without area holds nothing. */
export function insideHull(point: Vec2, hull: Vec2[]): boolean {
  if (hull.length < 3) return false;
  return hull.every((corner, k) => turn(corner, hull[(k + 1) % hull.length] as Vec2, point) >= 0);
}
