/** Elements of the flesh that are pressed so hard that they are treated with care (selective diagonalization). */

import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial } from "three";
import { token } from "../palette";
import type { World } from "../world";
import type { Layer } from "./layer";

const FACES = [0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3];
const EDGES = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];

export function flaggedLayer({ flesh }: World): Layer {
  const tets = flesh?.tets ?? new Uint32Array();
  const position = new BufferAttribute(new Float32Array(3 * (flesh?.nodeCount ?? 0)), 3).setUsage(DynamicDrawUsage);
  const faces = cornersOf(tets, FACES, position);
  const edges = cornersOf(tets, EDGES, position);
  const glass = new MeshBasicMaterial({ transparent: true, opacity: 0.28, side: DoubleSide, depthTest: false, depthWrite: false, toneMapped: false });
  const wire = new LineBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false, toneMapped: false });
  glass.color = wire.color = token("bad");
  const object = new Group();
  object.add(new Mesh(faces.geometry, glass), new LineSegments(edges.geometry, wire));
  for (const child of object.children) {
    child.frustumCulled = false;
    child.renderOrder = 12;
  }
  return {
    object,
    update({ nodes, flagged }) {
      if (nodes.length !== position.array.length) return;
      (position.array as Float32Array).set(nodes);
      position.needsUpdate = true;
      faces.choose(flagged);
      edges.choose(flagged);
    },
    dispose() {
      for (const part of [faces, edges]) part.geometry.dispose();
      glass.dispose();
      wire.dispose();
    },
  };
}

/** A geometry over the nodes that draws the chosen elements only. */
function cornersOf(tets: Uint32Array, pattern: number[], position: BufferAttribute) {
  const geometry = new BufferGeometry();
  const index = new BufferAttribute(new Uint32Array((tets.length / 4) * pattern.length), 1).setUsage(DynamicDrawUsage);
  geometry.setAttribute("position", position);
  geometry.setIndex(index);
  return {
    geometry,
    choose(elements: Uint32Array): void {
      let k = 0;
      for (const element of elements) {
        for (const corner of pattern) index.array[k++] = tets[4 * element + corner] as number;
      }
      index.needsUpdate = true;
      geometry.setDrawRange(0, k);
    },
  };
}
