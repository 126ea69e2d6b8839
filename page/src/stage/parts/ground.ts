/** The ground: a grid that fades into the distance, a pool of light, and the shadow of what stands on it. */

import { CircleGeometry, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector3, type PerspectiveCamera } from "three";
import { isLight, onTheme, token } from "../palette";

const VERTEX = /* glsl */ `
varying vec3 vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 line;
uniform vec3 pool;
uniform vec3 middle;
uniform float cell;
uniform float reach;
uniform float blend;
uniform float grid;
varying vec3 vWorld;
float lines(vec2 p, float step, float width) {
  vec2 q = p / step;
  vec2 w = fwidth(q);
  vec2 d = abs(fract(q - 0.5) - 0.5) / max(w, 1e-6);
  vec2 a = clamp(width - d + 0.5, 0.0, 1.0) * clamp(1.4 - 2.2 * w, 0.0, 1.0);
  return max(a.x, a.y);
}
void main() {
  float far = length(vWorld.xz - middle.xz) / reach;
  float fade = pow(clamp(1.0 - far, 0.0, 1.0), 1.6);
  float fine = lines(vWorld.xz, cell, 0.5) * 0.8 * (1.0 - blend);
  float coarse = lines(vWorld.xz, cell * 10.0, 0.5) * 0.95;
  float ink = grid * max(fine, coarse) * fade;
  float glow = 0.55 * exp(-9.0 * far * far);
  vec3 color = mix(pool, line, clamp(ink, 0.0, 1.0));
  gl_FragColor = vec4(color, max(ink, glow * (1.0 - ink) + ink));
  #include <colorspace_fragment>
}`;

export class Ground extends Group {
  private readonly plane: Mesh<CircleGeometry, ShaderMaterial>;
  private readonly shade: Mesh<PlaneGeometry, ShadowMaterial>;
  private readonly forget: () => void;

  constructor() {
    super();
    const uniforms = {
      line: { value: token("stage-grid") },
      pool: { value: token("stage-top") },
      middle: { value: new Vector3() },
      cell: { value: 0.1 },
      reach: { value: 10 },
      blend: { value: 0 },
      grid: { value: 1 },
    };
    this.plane = new Mesh(
      new CircleGeometry(0.5, 48).rotateX(-Math.PI / 2),
      new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false, toneMapped: false }),
    );
    this.shade = new Mesh(
      new PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
      new ShadowMaterial({ transparent: true, depthWrite: false, toneMapped: false }),
    );
    this.shade.receiveShadow = true;
    this.plane.renderOrder = -3;
    this.shade.renderOrder = -2;
    this.plane.frustumCulled = this.shade.frustumCulled = false;
    this.plane.material.side = 2;
    this.add(this.plane, this.shade);
    this.forget = onTheme(() => this.dress());
    this.dress();
  }

  showGrid(on: boolean): void {
    (this.plane.material.uniforms.grid as { value: number }).value = on ? 1 : 0;
  }

  /** Follow the camera, so that there is no edge to see; cells grow as it goes away. */
  update(camera: PerspectiveCamera, target: Vector3, floor: number): void {
    const far = camera.position.distanceTo(target);
    const level = Math.log10(Math.max(far, 1e-3) / 4);
    const whole = Math.floor(level);
    const uniforms = this.plane.material.uniforms as Record<string, { value: number | Vector3 }>;
    const reach = Math.max(6 * far, 1e-2);
    (uniforms.cell as { value: number }).value = 10 ** whole;
    (uniforms.blend as { value: number }).value = Math.min(1, Math.max(0, (level - whole) * 1.4 - 0.4));
    (uniforms.reach as { value: number }).value = reach;
    (uniforms.middle as { value: Vector3 }).value.copy(target);
    this.plane.scale.setScalar(2 * reach);
    this.plane.position.set(target.x, floor, target.z);
    this.shade.visible = camera.position.y > floor;
  }

  /** Only where there can be a shadow: to look it up is dear. */
  shadow(at: Vector3, reach: number, floor: number): void {
    this.shade.scale.setScalar(2 * reach);
    this.shade.position.set(at.x, floor, at.z);
  }

  dispose(): void {
    this.forget();
    for (const mesh of [this.plane, this.shade]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }

  private dress(): void {
    this.shade.material.opacity = isLight() ? 0.3 : 0.55;
  }
}
