/** The background: a quiet gradient, with a grain too fine to see that keeps it from banding. */

import { Color, Mesh, PlaneGeometry, ShaderMaterial } from "three";
import { onTheme, token } from "../palette";

const VERTEX = /* glsl */ `
varying vec2 vUv;
void main() {
  vUv = uv;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 top;
uniform vec3 bottom;
varying vec2 vUv;
float grain(vec2 p) {
  return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715))));
}
void main() {
  float away = length((vUv - vec2(0.5, 0.62)) * vec2(1.15, 1.0));
  vec3 color = mix(top, bottom, smoothstep(0.0, 0.85, away));
  gl_FragColor = vec4(color + (grain(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}`;

export class Backdrop extends Mesh<PlaneGeometry, ShaderMaterial> {
  private readonly forget: () => void;

  constructor() {
    super(
      new PlaneGeometry(2, 2),
      new ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { top: { value: new Color() }, bottom: { value: new Color() } },
        depthTest: false,
        depthWrite: false,
        toneMapped: false,
      }),
    );
    this.frustumCulled = false;
    this.renderOrder = -10;
    this.forget = onTheme(() => this.dress());
    this.dress();
  }

  /** Mixed as it is seen, so that no pixel has to be converted: this covers the whole stage. */
  private dress(): void {
    for (const name of ["top", "bottom"] as const) {
      (this.material.uniforms[name] as { value: Color }).value.copy(token(`stage-${name}`)).convertLinearToSRGB();
    }
  }

  dispose(): void {
    this.forget();
    this.geometry.dispose();
    this.material.dispose();
  }
}
