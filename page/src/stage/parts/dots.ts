/** Round marks of a fixed size on the screen: discs, rings, and gauges that fill by an amount. One draw call for all. */

import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Points, ShaderMaterial } from "three";
import type { Vec } from "../../geometry/vectors";

export const DISC = 0;
export const RING = 1;
export const GAUGE = 2;

const VERTEX = /* glsl */ `
attribute float size;
attribute float shape;
attribute float amount;
attribute vec4 tint;
uniform float ratio;
varying vec4 vTint;
varying float vShape;
varying float vAmount;
varying float vSize;
void main() {
  vTint = tint;
  vShape = shape;
  vAmount = amount;
  vSize = size * ratio;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = vSize + 2.0;
}`;

const FRAGMENT = /* glsl */ `
varying vec4 vTint;
varying float vShape;
varying float vAmount;
varying float vSize;
void main() {
  vec2 p = (gl_PointCoord - 0.5) * (vSize + 2.0);
  float r = length(p);
  float outer = clamp(vSize * 0.5 - r + 0.5, 0.0, 1.0);
  float alpha = outer;
  if (vShape > 0.5) {
    float thick = max(1.5, vSize * (vShape > 1.5 ? 0.14 : 0.1));
    alpha *= clamp(r - (vSize * 0.5 - thick) + 0.5, 0.0, 1.0);
  }
  if (vShape > 1.5) {
    float turn = atan(p.x, -p.y) / 6.2831853 + (p.x < 0.0 ? 1.0 : 0.0);
    alpha *= turn <= vAmount ? 1.0 : 0.28;
  }
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(vTint.rgb, vTint.a * alpha);
  #include <colorspace_fragment>
}`;

interface DotStyle {
  /** Diameter [px]. */
  size: number;
  color: Color;
  alpha?: number;
  shape?: number;
  amount?: number;
}

export class Dots extends Points<BufferGeometry, ShaderMaterial> {
  private room = 0;
  private used = 0;

  constructor({ through = true, order = 20 } = {}) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { ratio: { value: 1 } },
      transparent: true,
      depthTest: !through,
      depthWrite: false,
      toneMapped: false,
    });
    super(new BufferGeometry(), material);
    this.frustumCulled = false;
    this.renderOrder = order;
    this.onBeforeRender = (renderer) => {
      (material.uniforms.ratio as { value: number }).value = renderer.getPixelRatio();
    };
    this.grow(16);
  }

  begin(): void {
    this.used = 0;
  }

  put(at: Vec, look: DotStyle): void {
    if (this.used === this.room) this.grow(2 * this.room);
    const k = this.used++;
    this.attribute("position").setXYZ(k, at[0], at[1], at[2]);
    this.attribute("tint").setXYZW(k, look.color.r, look.color.g, look.color.b, look.alpha ?? 1);
    this.attribute("size").setX(k, look.size);
    this.attribute("shape").setX(k, look.shape ?? DISC);
    this.attribute("amount").setX(k, look.amount ?? 0);
  }

  end(): void {
    this.geometry.setDrawRange(0, this.used);
    for (const name of ["position", "tint", "size", "shape", "amount"]) this.attribute(name).needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }

  private attribute(name: string): BufferAttribute {
    return this.geometry.getAttribute(name) as BufferAttribute;
  }

  private grow(room: number): void {
    const next = new BufferGeometry();
    for (const [name, width] of [["position", 3], ["tint", 4], ["size", 1], ["shape", 1], ["amount", 1]] as const) {
      const values = new Float32Array(room * width);
      const old = this.geometry.getAttribute(name) as BufferAttribute | undefined;
      if (old) values.set(old.array as Float32Array);
      const attribute = new BufferAttribute(values, width);
      attribute.setUsage(DynamicDrawUsage);
      next.setAttribute(name, attribute);
    }
    this.geometry.dispose();
    this.geometry = next;
    this.room = room;
  }
}
