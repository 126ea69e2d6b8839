/** The cage: edges of the tetrahedra that carry the surface. */

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from "three";
import { token } from "../palette";
import type { World } from "../world";
import type { Layer } from "./layer";

export function cageLayer({ flesh }: World): Layer {
  const geometry = new BufferGeometry();
  const position = new BufferAttribute(new Float32Array(3 * (flesh?.nodeCount ?? 0)), 3).setUsage(DynamicDrawUsage);
  geometry.setAttribute("position", position);
  geometry.setIndex(new BufferAttribute(edgesOf(flesh?.tets ?? new Uint32Array()), 1));
  const material = new LineBasicMaterial({ transparent: true, opacity: 0.55, depthTest: false, toneMapped: false });
  material.color = token("text-2");
  const object = new LineSegments(geometry, material);
  object.frustumCulled = false;
  object.renderOrder = 10;
  return {
    object,
    update(frame) {
      if (frame.nodes.length !== position.array.length) return;
      (position.array as Float32Array).set(frame.nodes);
      position.needsUpdate = true;
    },
    dispose() {
      geometry.dispose();
      material.dispose();
    },
  };
}

/** Each edge of the tetrahedra once. */
function edgesOf(tets: Uint32Array): Uint32Array {
  const seen = new Set<string>();
  const edges: number[] = [];
  for (let t = 0; t < tets.length; t += 4) {
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const [a, b] = [tets[t + i] as number, tets[t + j] as number];
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        if (seen.has(key)) continue;
        seen.add(key);
        edges.push(a, b);
      }
    }
  }
  return Uint32Array.from(edges);
}
