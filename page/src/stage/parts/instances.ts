/** Many shapes that look alike, drawn by one call: a matrix and a colour of each. */

import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, type Material } from "three";
import { splitCreases } from "../../geometry/creased";
import { smoothNormals } from "../../geometry/normals";
import type { Form, Shape } from "../world";
import type { Boxes, ViewCone } from "./far";

export class Instances extends InstancedMesh<BufferGeometry, Material> {
  private readonly bodies: Int32Array;
  /** How large each is drawn. */
  private readonly sizes: Float32Array;
  /** Three numbers of each. */
  private readonly colors: Float32Array;

  constructor(private readonly form: Form, readonly shapes: Shape[], material: Material) {
    super(geometryOf(form), material, shapes.length);
    this.bodies = Int32Array.from(shapes, ({ body }) => body);
    this.sizes = new Float32Array(shapes.length).fill(1);
    this.colors = new Float32Array(3 * shapes.length);
    this.instanceMatrix.setUsage(DynamicDrawUsage);
    this.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * shapes.length), 3).setUsage(DynamicDrawUsage);
    this.frustumCulled = false;
  }

  /** Put all of them where their bodies are; the numbers of a moment begin at `offset`. */
  update(poses: Float32Array, offset: number): void {
    const out = this.instanceMatrix.array as Float32Array;
    for (let k = 0; k < this.bodies.length; k++) {
      writeMatrix(out, 16 * k, poses, offset + 7 * (this.bodies[k] as number), this.sizes[k] as number);
    }
    this.instanceMatrix.needsUpdate = true;
  }

  /** The size counts from the next update on. */
  paint(instance: number, color: Color, size: number): void {
    this.sizes[instance] = size;
    color.toArray(this.colors, 3 * instance);
    const colors = this.instanceColor as InstancedBufferAttribute;
    color.toArray(colors.array as Float32Array, 3 * instance);
    colors.needsUpdate = true;
  }

  /** As `update`, but only what is in sight; what is small there goes to the boxes. */
  sift(poses: Float32Array, look: ViewCone, boxes: Boxes): void {
    const out = this.instanceMatrix.array as Float32Array;
    const tints = (this.instanceColor as InstancedBufferAttribute).array as Float32Array;
    const { center, radius } = this.form.ball;
    const [x, y, z] = center;
    this.count = 0;
    for (let k = 0; k < this.bodies.length; k++) {
      const at = 16 * this.count;
      writeMatrix(out, at, poses, 7 * (this.bodies[k] as number), this.sizes[k] as number);
      const along = (row: number) =>
        (out[at + row] as number) * x + (out[at + 4 + row] as number) * y + (out[at + 8 + row] as number) * z + (out[at + 12 + row] as number);
      const how = look.at(along(0), along(1), along(2), radius);
      if (how === "far") boxes.put(this.form, out, at, this.colors, 3 * k);
      if (how !== "near") continue;
      for (let c = 0; c < 3; c++) tints[3 * this.count + c] = this.colors[3 * k + c] as number;
      this.count++;
    }
    this.visible = this.count > 0;
    this.instanceMatrix.needsUpdate = true;
    (this.instanceColor as InstancedBufferAttribute).needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    super.dispose();
  }
}

/** The matrix, column by column, of a position and quaternion that stand at `k`, and of a size. */
export function writeMatrix(out: Float32Array, at: number, poses: Float32Array, k: number, size: number): void {
  const x = poses[k + 3] as number;
  const y = poses[k + 4] as number;
  const z = poses[k + 5] as number;
  const w = poses[k + 6] as number;
  const twice = 2 * size;
  out[at] = size - twice * (y * y + z * z);
  out[at + 1] = twice * (x * y + w * z);
  out[at + 2] = twice * (x * z - w * y);
  out[at + 3] = 0;
  out[at + 4] = twice * (x * y - w * z);
  out[at + 5] = size - twice * (x * x + z * z);
  out[at + 6] = twice * (y * z + w * x);
  out[at + 7] = 0;
  out[at + 8] = twice * (x * z + w * y);
  out[at + 9] = twice * (y * z - w * x);
  out[at + 10] = size - twice * (x * x + y * y);
  out[at + 11] = 0;
  out[at + 12] = poses[k] as number;
  out[at + 13] = poses[k + 1] as number;
  out[at + 14] = poses[k + 2] as number;
  out[at + 15] = 1;
}

/** Corners are shared where the surface is smooth: a third of the work for whoever draws it. */
function geometryOf(form: Form): BufferGeometry {
  if (!form.smooth) return splitCreases(form);
  const geometry = new BufferGeometry();
  const normals = new Float32Array(form.points.length);
  smoothNormals(form.points, form.triangles, normals);
  geometry.setAttribute("position", new BufferAttribute(form.points, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(form.triangles, 1));
  return geometry;
}
