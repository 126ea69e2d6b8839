/** A crowd from afar: of a shape that is small on the screen a box stands for it, and one smaller than a pixel is not drawn. */

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Frustum, Matrix4, Mesh, MeshStandardMaterial, Vector3, type PerspectiveCamera } from "three";
import type { Form } from "../world";

/** Diameters of shapes on the screen below which they are boxes, or nothing [px]. */
const SMALL = 9;
const NOTHING = 1;

/** Where somebody looks from: what is in sight, and how large. */
export class ViewCone {
  private readonly frustum = new Frustum();
  private readonly matrix = new Matrix4();
  private readonly eye = new Vector3();
  private readonly forward = new Vector3();
  private readonly point = new Vector3();
  private perPixel = 1;

  /** `height` of the picture [px]. */
  aim(camera: PerspectiveCamera, height: number): this {
    camera.updateMatrixWorld();
    this.frustum.setFromProjectionMatrix(this.matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    this.eye.setFromMatrixPosition(camera.matrixWorld);
    camera.getWorldDirection(this.forward);
    this.perPixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(height, 1);
    return this;
  }

  /** How a ball is to be drawn. */
  at(x: number, y: number, z: number, radius: number): "near" | "far" | "not" {
    const point = this.point.set(x, y, z);
    for (const plane of this.frustum.planes) if (plane.distanceToPoint(point) < -radius) return "not";
    const depth = Math.max(point.sub(this.eye).dot(this.forward), 1e-6);
    const size = (2 * radius) / (depth * this.perPixel);
    return size < NOTHING ? "not" : size < SMALL ? "far" : "near";
  }
}

/** Corners of a box by the signs of its half axes, and its triangles, seen from outside. */
const SIGNS = [-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1];
const FACES = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7];

/**
 * Boxes that stand for shapes of any form, all in one call. Their corners are worked out here: where a processor draws, an
 * instance costs it more than eight corners.
 */
export class Boxes extends Mesh<BufferGeometry, MeshStandardMaterial> {
  count = 0;
  private readonly places: Float32Array;
  private readonly tints: Uint8Array;

  constructor(most: number) {
    const places = new BufferAttribute(new Float32Array(24 * most), 3).setUsage(DynamicDrawUsage);
    const tints = new BufferAttribute(new Uint8Array(32 * most), 4, true).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", places);
    geometry.setAttribute("color", tints);
    geometry.setIndex(new BufferAttribute(Uint32Array.from({ length: 36 * most }, (_, k) => 8 * Math.floor(k / 36) + (FACES[k % 36] as number)), 1));
    super(geometry, new MeshStandardMaterial({ roughness: 0.5, metalness: 0.05, vertexColors: true, flatShading: true }));
    this.places = places.array as Float32Array;
    this.tints = (tints.array as Uint8Array).fill(255);
    this.frustumCulled = false;
  }

  begin(): void {
    this.count = 0;
  }

  /** The box of a form whose body has a matrix at `from` of `matrices`, in the colour at `tint` of `colors`. */
  put({ corners }: Form, matrices: Float32Array, from: number, colors: Float32Array, tint: number): void {
    const [low, high] = [corners[0] as number[], corners[7] as number[]];
    const at = 24 * this.count;
    for (let row = 0; row < 3; row++) {
      const x = ((matrices[from + row] as number) * ((high[0] as number) - (low[0] as number))) / 2;
      const y = ((matrices[from + 4 + row] as number) * ((high[1] as number) - (low[1] as number))) / 2;
      const z = ((matrices[from + 8 + row] as number) * ((high[2] as number) - (low[2] as number))) / 2;
      let middle = matrices[from + 12 + row] as number;
      for (let axis = 0; axis < 3; axis++) middle += ((matrices[from + 4 * axis + row] as number) * ((low[axis] as number) + (high[axis] as number))) / 2;
      for (let c = 0; c < 8; c++) {
        this.places[at + 3 * c + row] = middle + (SIGNS[3 * c] as number) * x + (SIGNS[3 * c + 1] as number) * y + (SIGNS[3 * c + 2] as number) * z;
      }
    }
    for (let c = 0; c < 8; c++) for (let k = 0; k < 3; k++) this.tints[32 * this.count + 4 * c + k] = 255 * (colors[tint + k] as number);
    this.count++;
  }

  end(): void {
    this.visible = this.count > 0;
    this.geometry.setDrawRange(0, 36 * this.count);
    for (const name of ["position", "color"]) (this.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}
