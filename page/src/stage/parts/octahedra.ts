/** Bones as animators know them: long octahedra, thick near the joint, drawn over everything. */

import { BufferAttribute, BufferGeometry, Color, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { toWorld, type Vec } from "../../geometry/vectors";
import { token } from "../palette";
import type { World } from "../world";

const UP = new Vector3(0, 1, 0);

export class Octahedra extends InstancedMesh<BufferGeometry, MeshLambertMaterial> {
  private used = 0;
  private readonly frame = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly size = new Vector3();

  constructor(private readonly world: World, opacity: number, order: number) {
    const material = new MeshLambertMaterial({ transparent: true, opacity, depthTest: false, depthWrite: false, flatShading: true, toneMapped: false });
    // Of their own light: the side that lies in the shade would be black.
    material.emissive = token("bone");
    material.emissiveIntensity = 0.4;
    const room = world.segments.reduce((sum, list) => sum + list.length, 0);
    super(makeOctahedron(), material, Math.max(1, room));
    this.instanceColor = null;
    this.frustumCulled = false;
    this.renderOrder = order;
  }

  begin(): void {
    this.used = 0;
  }

  put(poses: Float32Array, body: number, color: Color): void {
    for (const [a, b] of this.world.segments[body] ?? []) {
      this.a.set(...toWorld(poses, body, a));
      this.b.set(...toWorld(poses, body, b)).sub(this.a);
      const length = this.b.length();
      if (length < 1e-6) continue;
      this.turn.setFromUnitVectors(UP, this.b.divideScalar(length));
      const width = Math.min(0.28 * length, 0.06 * this.world.size);
      this.setMatrixAt(this.used, this.frame.compose(this.a, this.turn, this.size.set(width, length, width)));
      this.setColorAt(this.used, color);
      this.used += 1;
    }
  }

  end(): void {
    this.count = this.used;
    this.instanceMatrix.needsUpdate = true;
    if (this.instanceColor) this.instanceColor.needsUpdate = true;
  }

  override dispose(): this {
    super.dispose();
    this.geometry.dispose();
    this.material.dispose();
    return this;
  }
}

/** From 0 to 1 along y, half as wide as its unit, widest at a sixth. */
function makeOctahedron(): BufferGeometry {
  const ring: Vec[] = [[0.5, 0.17, 0], [0, 0.17, 0.5], [-0.5, 0.17, 0], [0, 0.17, -0.5]];
  const corners: number[] = [];
  ring.forEach((side, k) => {
    const next = ring[(k + 1) % 4] as Vec;
    corners.push(...side, 0, 0, 0, ...next);
    corners.push(...side, ...next, 0, 1, 0);
  });
  // Seen from outside, corners must run counter-clockwise.
  for (let t = 0; t < corners.length; t += 9) {
    const b = corners.slice(t + 3, t + 6);
    corners.splice(t + 3, 3, ...corners.slice(t + 6, t + 9));
    corners.splice(t + 6, 3, ...b);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(corners), 3));
  geometry.computeVertexNormals();
  return geometry;
}
