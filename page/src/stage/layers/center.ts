/** The centre of gravity, the point of the floor below it, and the area that the character stands on. */

import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial } from "three";
import { convexHull, insideHull } from "../../geometry/hull";
import type { Vec, Vec2 } from "../../geometry/vectors";
import { token } from "../palette";
import { DISC, Dots, RING } from "../parts/dots";
import { Strokes } from "../parts/strokes";
import type { World } from "../world";
import type { Layer } from "./layer";

const CORNERS = 64;

export function centerLayer(world: World): Layer {
  const object = new Group();
  const dots = new Dots({ order: 18 });
  const plumb = new Strokes({ width: 1.5, opacity: 0.7, order: 16, dashed: { dash: 0.02 * world.size, gap: 0.02 * world.size } });
  const outline = new Strokes({ width: 2, opacity: 0.9, order: 1, through: false });
  const area = makeArea();
  object.add(area, outline, plumb, dots);
  const grounded = world.scene.floor !== null;
  return {
    object,
    update({ center, contacts }) {
      const at: Vec = [center[0] as number, center[1] as number, center[2] as number];
      const hull = grounded ? convexHull(touching(contacts)) : [];
      const steady = insideHull([at[0], at[2]], hull);
      const color = token(steady ? "good" : "warn");
      const lift = world.floor + 0.002 * world.size;
      fillArea(area, hull, lift);
      area.material.color = color;
      outline.begin();
      outline.path(hull.length > 1 ? [...hull, hull[0] as Vec2].map(([x, z]): Vec => [x, lift, z]) : [], color);
      outline.end();
      plumb.begin();
      dots.begin();
      if (grounded) {
        const below: Vec = [at[0], lift, at[2]];
        plumb.segment(at, below, token("center"));
        dots.put(below, { size: 15, color, shape: RING });
        dots.put(below, { size: 5, color, shape: DISC });
      }
      dots.put(at, { size: 17, color: token("center"), alpha: 0.25 });
      dots.put(at, { size: 10, color: token("center") });
      plumb.end();
      dots.end();
    },
    dispose() {
      dots.dispose();
      plumb.dispose();
      outline.dispose();
      area.geometry.dispose();
      area.material.dispose();
    },
  };
}

function touching(contacts: Float32Array): Vec2[] {
  const points: Vec2[] = [];
  for (let k = 0; k + 5 < contacts.length; k += 6) {
    // Only what presses upward carries.
    if ((contacts[k + 4] as number) > 0) points.push([contacts[k] as number, contacts[k + 2] as number]);
  }
  return points;
}

function makeArea(): Mesh<BufferGeometry, MeshBasicMaterial> {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * CORNERS), 3).setUsage(DynamicDrawUsage));
  const fan: number[] = [];
  for (let k = 2; k < CORNERS; k++) fan.push(0, k - 1, k);
  geometry.setIndex(fan);
  const material = new MeshBasicMaterial({ transparent: true, opacity: 0.2, side: DoubleSide, depthWrite: false, toneMapped: false });
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  return mesh;
}

function fillArea(area: Mesh<BufferGeometry, MeshBasicMaterial>, hull: Vec2[], height: number): void {
  const position = area.geometry.getAttribute("position") as BufferAttribute;
  hull.slice(0, CORNERS).forEach(([x, z], k) => position.setXYZ(k, x, height, z));
  position.needsUpdate = true;
  area.geometry.setDrawRange(0, 3 * Math.max(0, Math.min(hull.length, CORNERS) - 2));
}
