/** Many shapes that look alike, drawn by one call: a matrix and a colour of each. */

import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, type Material } from "three";
import { creased } from "../geometry/creased";
import { smoothNormals } from "../geometry/normals";
import type { Form, Shape } from "../world";

export class Instances extends InstancedMesh<BufferGeometry, Material> {
  private readonly bodies: Int32Array;

  constructor(form: Form, readonly shapes: Shape[], material: Material) {
    super(geometryOf(form), material, shapes.length);
    this.bodies = Int32Array.from(shapes, ({ body }) => body);
    this.instanceMatrix.setUsage(DynamicDrawUsage);
    this.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * shapes.length), 3).setUsage(DynamicDrawUsage);
    this.frustumCulled = false;
    this.pose(new Float32Array([0, 0, 0, 0, 0, 0, 1]), 0, () => 0);
  }

  /** Put all of them where their bodies are; the numbers of a moment begin at `offset`. */
  update(poses: Float32Array, offset: number): void {
    this.pose(poses, offset, (body) => body);
  }

  paint(instance: number, color: Color): void {
    const colors = this.instanceColor as InstancedBufferAttribute;
    color.toArray(colors.array as Float32Array, 3 * instance);
    colors.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    super.dispose();
  }

  private pose(poses: Float32Array, offset: number, of: (body: number) => number): void {
    const out = this.instanceMatrix.array as Float32Array;
    for (let k = 0; k < this.bodies.length; k++) writeMatrix(out, 16 * k, poses, offset + 7 * of(this.bodies[k] as number));
    this.instanceMatrix.needsUpdate = true;
  }
}

/** The matrix, column by column, of a position and quaternion that stand at `k`. */
export function writeMatrix(out: Float32Array, at: number, poses: Float32Array, k: number): void {
  const x = poses[k + 3] as number;
  const y = poses[k + 4] as number;
  const z = poses[k + 5] as number;
  const w = poses[k + 6] as number;
  out[at] = 1 - 2 * (y * y + z * z);
  out[at + 1] = 2 * (x * y + w * z);
  out[at + 2] = 2 * (x * z - w * y);
  out[at + 3] = 0;
  out[at + 4] = 2 * (x * y - w * z);
  out[at + 5] = 1 - 2 * (x * x + z * z);
  out[at + 6] = 2 * (y * z + w * x);
  out[at + 7] = 0;
  out[at + 8] = 2 * (x * z + w * y);
  out[at + 9] = 2 * (y * z - w * x);
  out[at + 10] = 1 - 2 * (x * x + y * y);
  out[at + 11] = 0;
  out[at + 12] = poses[k] as number;
  out[at + 13] = poses[k + 1] as number;
  out[at + 14] = poses[k + 2] as number;
  out[at + 15] = 1;
}

/** Corners are shared where the surface is smooth: a third of the work for whoever draws it. */
function geometryOf(form: Form): BufferGeometry {
  if (!form.smooth) return creased(form);
  const geometry = new BufferGeometry();
  const normals = new Float32Array(form.points.length);
  smoothNormals(form.points, form.triangles, normals);
  geometry.setAttribute("position", new BufferAttribute(form.points, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(form.triangles, 1));
  return geometry;
}
