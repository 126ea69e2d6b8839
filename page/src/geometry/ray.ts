/** Rays against planes, lines and triangles. */

import { add, dot, scale, sub, type Vec } from "./vectors";

export interface Ray {
  origin: Vec;
  /** Of unit length. */
  direction: Vec;
}

interface TriangleHit {
  /** Along the ray. */
  distance: number;
  triangle: number;
  point: Vec;
}

/** Where a ray meets a plane; null if it is (nearly) along it or looks away. */
export function rayPlane(ray: Ray, through: Vec, normal: Vec): Vec | null {
  const slope = dot(ray.direction, normal);
  if (Math.abs(slope) < 1e-4) return null;
  const t = dot(sub(through, ray.origin), normal) / slope;
  return t > 0 ? add(ray.origin, scale(ray.direction, t)) : null;
}

/** The point of a line that is nearest to a ray; null if they are (nearly) parallel. */
export function rayLine(ray: Ray, through: Vec, axis: Vec): Vec | null {
  const b = dot(ray.direction, axis);
  const square = 1 - b * b;
  if (square < 1e-3) return null;
  const gap = sub(ray.origin, through);
  const t = (dot(gap, axis) - b * dot(gap, ray.direction)) / square;
  return add(through, scale(axis, t));
}

/** The nearest triangle that a ray goes into or out of (Möller and Trumbore). */
export function rayTriangles(ray: Ray, positions: Float32Array, triangles: Uint32Array): TriangleHit | null {
  const [ox, oy, oz] = ray.origin;
  const [dx, dy, dz] = ray.direction;
  let nearest = Infinity;
  let found = -1;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * (triangles[t] as number);
    const b = 3 * (triangles[t + 1] as number);
    const c = 3 * (triangles[t + 2] as number);
    const ax = positions[a] as number;
    const ay = positions[a + 1] as number;
    const az = positions[a + 2] as number;
    const ux = (positions[b] as number) - ax;
    const uy = (positions[b + 1] as number) - ay;
    const uz = (positions[b + 2] as number) - az;
    const vx = (positions[c] as number) - ax;
    const vy = (positions[c + 1] as number) - ay;
    const vz = (positions[c + 2] as number) - az;
    const px = dy * vz - dz * vy;
    const py = dz * vx - dx * vz;
    const pz = dx * vy - dy * vx;
    const det = ux * px + uy * py + uz * pz;
    if (Math.abs(det) < 1e-18) continue;
    const sx = ox - ax;
    const sy = oy - ay;
    const sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const along = (vx * qx + vy * qy + vz * qz) / det;
    if (along > 0 && along < nearest) {
      nearest = along;
      found = t / 3;
    }
  }
  if (found < 0) return null;
  return { distance: nearest, triangle: found, point: add(ray.origin, scale(ray.direction, nearest)) };
}
