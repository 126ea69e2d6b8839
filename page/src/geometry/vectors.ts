/** Small vectors as tuples, for geometry that needs no graphics library. */

export type Vec = [number, number, number];
export type Vec2 = [number, number];

export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale = (a: Vec, s: number): Vec => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);
export const distance = (a: Vec, b: Vec): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
export const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const mix = (a: Vec, b: Vec, t: number): Vec => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

/** Rotate by a quaternion x, y, z, w that stands at `offset`. */
export function rotate(q: ArrayLike<number>, offset: number, v: Vec): Vec {
  const x = q[offset] as number;
  const y = q[offset + 1] as number;
  const z = q[offset + 2] as number;
  const w = q[offset + 3] as number;
  const t: Vec = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** The other way. */
export function unrotate(q: ArrayLike<number>, offset: number, v: Vec): Vec {
  const back = [-(q[offset] as number), -(q[offset + 1] as number), -(q[offset + 2] as number), q[offset + 3] as number];
  return rotate(back, 0, v);
}

/** A point of body `body` in the world; poses are position and quaternion, 7 numbers each. */
export function toWorld(poses: ArrayLike<number>, body: number, point: Vec): Vec {
  const k = 7 * body;
  return add([poses[k] as number, poses[k + 1] as number, poses[k + 2] as number], rotate(poses, k + 3, point));
}

/** A point of the world along the axes of body `body`. */
export function toBody(poses: ArrayLike<number>, body: number, point: Vec): Vec {
  const k = 7 * body;
  return unrotate(poses, k + 3, sub(point, [poses[k] as number, poses[k + 1] as number, poses[k + 2] as number]));
}
