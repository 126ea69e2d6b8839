/** What a motion meets on its way: planes and bars, as the document has them. */

import { cross, dot, norm, sub, unrotate, type Vec } from "../../geometry/vectors";

export interface Plane {
  point: Vec;
  /** Toward the side that the character is on. */
  normal: Vec;
}

export interface Bar {
  point: Vec;
  direction_of: Vec;
  radius: number;
}

/** One of the two, as `surface` of a transition tells it. */
export interface Surface {
  plane?: Plane;
  bar?: Bar;
}

/** A hand that is not farther than this from a bar is at it [m]. */
const AT = 0.05;

export function isFloor({ plane }: Surface): boolean {
  return plane !== undefined && plane.normal[1] > 0.999 * norm(plane.normal);
}

/** The floor for a point that is so far above what touches it [m]. */
export const floorAt = (height: number, above: number): Surface => ({ plane: { point: [0, height + above, 0], normal: [0, 1, 0] } });

/** How far a place is from the surface of a bar [m]. */
export function gapTo({ point, direction_of, radius }: Bar, at: Vec): number {
  return norm(cross(sub(at, point), direction_of)) / norm(direction_of) - radius;
}

/** The bar that a place is at; the nearest of several, null if it is at none. */
export function barAt(surfaces: readonly Surface[], at: Vec): Bar | null {
  const near = surfaces.flatMap(({ bar }) => (bar && gapTo(bar, at) <= AT ? [bar] : []));
  return near.sort((a, b) => gapTo(a, at) - gapTo(b, at))[0] ?? null;
}

/** A line of the world as an axis of a body, of length 1. */
export function alongBody(poses: ArrayLike<number>, body: number, line: Vec): Vec {
  const [x, y, z] = unrotate(poses, 7 * body + 3, line);
  const length = Math.sqrt(dot([x, y, z], [x, y, z])) || 1;
  return [x / length, y / length, z / length];
}
