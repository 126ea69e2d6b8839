/** Shapes of few triangles: boxes keep their edges, balls and capsules are round. */

import { BufferAttribute, BufferGeometry, Vector3 } from "three";

/** Triangles of their own corners, with normals smooth over flat edges and sharp over steep ones. */
export function splitCreases({ points, triangles }: { points: Float32Array; triangles: Uint32Array }): BufferGeometry {
  const corners = new Float32Array(3 * triangles.length);
  triangles.forEach((vertex, k) => corners.set(points.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
  const faces = faceNormals(corners);
  const around = new Map<string, number[]>();
  triangles.forEach((_, k) => {
    const key = cornerKey(corners, k);
    const list = around.get(key);
    if (list) list.push(Math.floor(k / 3));
    else around.set(key, [Math.floor(k / 3)]);
  });
  const normals = new Float32Array(corners.length);
  const [own, other, sum] = [new Vector3(), new Vector3(), new Vector3()];
  triangles.forEach((_, k) => {
    own.fromArray(faces, 3 * Math.floor(k / 3)).normalize();
    sum.set(0, 0, 0);
    for (const face of around.get(cornerKey(corners, k)) as number[]) {
      other.fromArray(faces, 3 * face);
      if (other.dot(own) > CREASE * other.length()) sum.add(other);
    }
    sum.normalize().toArray(normals, 3 * k);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setIndex(Array.from(triangles, (_, k) => k));
  return geometry;
}

/** Cosine of the angle from which on an edge is sharp. */
const CREASE = Math.cos((40 * Math.PI) / 180);

const cornerKey = (corners: Float32Array, k: number): string =>
  `${(corners[3 * k] as number).toFixed(6)},${(corners[3 * k + 1] as number).toFixed(6)},${(corners[3 * k + 2] as number).toFixed(6)}`;

/** Of each triangle, as long as twice its area. */
function faceNormals(corners: Float32Array): Float32Array {
  const out = new Float32Array(corners.length / 3);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let t = 0; t < corners.length / 9; t++) {
    a.fromArray(corners, 9 * t);
    b.fromArray(corners, 9 * t + 3).sub(a);
    c.fromArray(corners, 9 * t + 6).sub(a);
    b.cross(c).toArray(out, 3 * t);
  }
  return out;
}
