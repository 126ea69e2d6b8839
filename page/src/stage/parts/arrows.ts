/** Arrows: a shaft and a head, in one draw call each. */

import {
  Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3,
  type BufferGeometry,
} from "three";
import { norm, type Vec } from "../../geometry/vectors";

const UP = new Vector3(0, 1, 0);

export class Arrows extends Group {
  private readonly material = new MeshBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false, toneMapped: false });
  private shafts: InstancedMesh;
  private heads: InstancedMesh;
  private room = 32;
  private used = 0;
  private readonly frame = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly place = new Vector3();
  private readonly size = new Vector3();
  private readonly direction = new Vector3();

  constructor(color: Color) {
    super();
    this.material.color = color;
    [this.shafts, this.heads] = this.make();
  }

  begin(): void {
    this.used = 0;
  }

  /** From `at` along `arrow`; `thick` is the radius of the shaft. */
  put(at: Vec, arrow: Vec, thick: number): void {
    const length = norm(arrow);
    if (length < 1e-9) return;
    if (this.used === this.room) this.grow();
    const head = Math.min(0.5 * length, 7 * thick);
    this.direction.set(...arrow).divideScalar(length);
    this.turn.setFromUnitVectors(UP, this.direction);
    this.place.set(...at);
    this.shafts.setMatrixAt(this.used, this.frame.compose(this.place, this.turn, this.size.set(thick, length - head, thick)));
    this.place.addScaledVector(this.direction, length - head);
    const wide = Math.min(3 * thick, 0.4 * head);
    this.heads.setMatrixAt(this.used, this.frame.compose(this.place, this.turn, this.size.set(wide, head, wide)));
    this.used += 1;
  }

  end(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.used;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    this.clear();
    for (const mesh of [this.shafts, this.heads]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
  }

  private make(): [InstancedMesh, InstancedMesh] {
    const shaft = new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const head = new ConeGeometry(1, 1, 12).translate(0, 0.5, 0);
    const made = (geometry: BufferGeometry) => {
      const mesh: InstancedMesh = new InstancedMesh(geometry, this.material, this.room);
      mesh.frustumCulled = false;
      mesh.renderOrder = 16;
      mesh.count = 0;
      this.add(mesh);
      return mesh;
    };
    return [made(shaft), made(head)];
  }

  private grow(): void {
    const old = [this.shafts, this.heads];
    this.room *= 2;
    this.remove(...old);
    [this.shafts, this.heads] = this.make();
    [this.shafts, this.heads].forEach((mesh, k) => {
      mesh.instanceMatrix.array.set((old[k] as InstancedMesh).instanceMatrix.array);
      old[k]?.geometry.dispose();
      old[k]?.dispose();
    });
  }
}
