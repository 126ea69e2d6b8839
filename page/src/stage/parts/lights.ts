/** Three lights: a warm one from above that throws the shadow, a cool one that fills, one from behind for the outline. */

import { DirectionalLight, Group, HemisphereLight, type Vector3 } from "three";

export class Lights extends Group {
  private readonly key = new DirectionalLight(0xfff1e2, 2.9);
  private readonly fill = new DirectionalLight(0xbfd2ff, 0.75);
  private readonly rim = new DirectionalLight(0xffe3c4, 1.5);
  private readonly sky = new HemisphereLight(0xdfe8f6, 0x4a4038, 1.15);

  constructor(sharp: boolean) {
    super();
    this.key.castShadow = true;
    this.key.shadow.mapSize.setScalar(sharp ? 1024 : 512);
    this.key.shadow.radius = sharp ? 12 : 6;
    for (const light of [this.key, this.fill, this.rim]) this.add(light, light.target);
    this.add(this.sky);
  }

  /** Stand around what is looked at; the shadow map covers just that. Gives how far the shadow reaches. */
  aim(at: Vector3, size: number): number {
    const stand = (light: DirectionalLight, x: number, y: number, z: number) => {
      light.position.set(at.x + x * size, at.y + y * size, at.z + z * size);
      light.target.position.copy(at);
    };
    stand(this.key, 0.9, 2.6, 1.3);
    stand(this.fill, -2.2, 0.8, 1.2);
    stand(this.rim, -0.6, 1.4, -2.4);
    const shadow = this.key.shadow;
    const half = 1.5 * size;
    if (Math.abs(shadow.camera.right - half) > 1e-6) {
      Object.assign(shadow.camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * size, far: 8 * size });
      shadow.camera.updateProjectionMatrix();
      shadow.bias = -0.002;
      shadow.normalBias = 0.04 * size;
    }
    return half;
  }

  dispose(): void {
    this.key.dispose();
  }
}
