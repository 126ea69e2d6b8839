/** Where an eye has to be to see all of something. */

import { add, dot, scale, type Vec } from "./vectors";

/**
 * What to look at and from how far, so that points with room around each are in the picture: the least distance for the
 * middle of what is seen. Azimuth and polar angle are those of the eye; `wide` and `tall` are tangents of half the picture.
 */
export function fitView(
  points: readonly Vec[], room: number, azimuth: number, polar: number, wide: number, tall: number,
): { center: Vec; distance: number } {
  const [sin, cos, high, low] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(polar), Math.cos(polar)];
  const right: Vec = [cos, 0, -sin];
  const up: Vec = [-low * sin, high, -low * cos];
  const back: Vec = [high * sin, low, high * cos];
  const [x, y, z] = [right, up, back].map((axis) => middleAlong(points, axis)) as Vec;
  const center = add(add(scale(right, x), scale(up, y)), scale(back, z));
  let distance = 0;
  for (const point of points) {
    const aside = Math.max((Math.abs(dot(right, point) - x) + room) / wide, (Math.abs(dot(up, point) - y) + room) / tall);
    distance = Math.max(distance, dot(back, point) - z + aside);
  }
  return { center, distance };
}

function middleAlong(points: readonly Vec[], axis: Vec): number {
  let [least, most] = [Infinity, -Infinity];
  for (const point of points) {
    const along = dot(axis, point);
    least = Math.min(least, along);
    most = Math.max(most, along);
  }
  return (least + most) / 2;
}
