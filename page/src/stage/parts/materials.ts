/** How things are made to look: the character warm and lit, its ghosts like glass. */

import { Color, DoubleSide, FrontSide, MeshStandardMaterial, ShaderMaterial, type IUniform } from "three";
import { token } from "../palette";

/** The surface of the character; `glow` of each vertex lifts what a hand would take. */
export function skinMaterial(): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.58, metalness: 0, side: DoubleSide });
  const glow: IUniform<Color> = { value: token("accent") };
  material.onBeforeCompile = (shader) => {
    shader.uniforms.glowColor = glow;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute float glow;\nvarying float vGlow;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvGlow = glow;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform vec3 glowColor;\nvarying float vGlow;")
      .replace("#include <emissivemap_fragment>", `${RIM}\ntotalEmissiveRadiance += (0.16 + 0.3 * rim) * vGlow * glowColor;`);
  };
  return material;
}

/** Light that comes through at the edges, as flesh lets it. */
const RIM = /* glsl */ `
float rim = pow(1.0 - abs(dot(normalize(vViewPosition), normal)), 2.5);
totalEmissiveRadiance += 0.18 * rim * diffuseColor.rgb;`;

export function shapeMaterial(): MeshStandardMaterial {
  return new MeshStandardMaterial({ roughness: 0.5, metalness: 0.05, side: FrontSide });
}

/** Of shapes that can be looked through. */
export function glassMaterial(): MeshStandardMaterial {
  return new MeshStandardMaterial({ roughness: 0.15, metalness: 0, side: FrontSide, transparent: true, depthWrite: false });
}

const GHOST_VERTEX = /* glsl */ `
#include <common>
#include <batching_pars_vertex>
uniform float behind;
varying vec3 vNormalView;
varying vec3 vView;
void main() {
  #include <batching_vertex>
  #include <beginnormal_vertex>
  #include <defaultnormal_vertex>
  #include <begin_vertex>
  #include <project_vertex>
  vec4 farther = projectionMatrix * vec4(mvPosition.xy, mvPosition.z - behind, 1.0);
  gl_Position.z = farther.z / farther.w * gl_Position.w;
  vNormalView = normalize(transformedNormal);
  vView = -mvPosition.xyz;
}`;

const GHOST_FRAGMENT = /* glsl */ `
uniform vec3 tint;
uniform float strength;
uniform float fill;
varying vec3 vNormalView;
varying vec3 vView;
void main() {
  float facing = abs(dot(normalize(vView), normalize(vNormalView)));
  float alpha = strength * mix(fill, 0.95, pow(1.0 - facing, 1.8));
  gl_FragColor = vec4(tint, alpha);
  #include <colorspace_fragment>
}`;

/** Glass: clear in the middle but for a fill, tinted toward the outline; hidden by what is less than `behind` behind it [m]. */
export function ghostMaterial(tint: Color, strength: number, fill = 0.16, behind = 0): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: GHOST_VERTEX,
    fragmentShader: GHOST_FRAGMENT,
    uniforms: { tint: { value: tint }, strength: { value: strength }, fill: { value: fill }, behind: { value: behind } },
    transparent: true,
    depthWrite: false,
    toneMapped: false,
  });
}
