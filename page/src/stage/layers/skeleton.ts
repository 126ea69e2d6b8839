/** Skeleton and joints, seen through the surface; limp joints are grey. */

import { Group } from "three";
import { doc } from "../../store";
import { toWorld } from "../../geometry/vectors";
import { token } from "../palette";
import { DISC, Dots, RING } from "../parts/dots";
import { Octahedra } from "../parts/octahedra";
import type { World } from "../world";
import type { Layer } from "./layer";

export function skeletonLayer(world: World): Layer {
  const object = new Group();
  const bones = new Octahedra(world, 0.82, 12);
  const joints = new Dots({ order: 13 });
  object.add(bones, joints);
  const { bodies } = world.scene;
  return {
    object,
    update({ poses }) {
      const limp = new Set(doc.value?.joints.filter((joint) => joint.state === "passive").map((joint) => joint.name));
      bones.begin();
      joints.begin();
      bodies.forEach((body, k) => {
        const passive = limp.has(body.joint);
        bones.put(poses, k, token(passive ? "passive" : "bone"));
        if (body.nv === 0) return;
        const at = toWorld(poses, k, [0, 0, 0]);
        joints.put(at, { size: 8, color: token("stage-bottom"), alpha: 0.9, shape: DISC });
        joints.put(at, { size: 8, color: token(passive ? "passive" : "accent"), shape: RING });
      });
      bones.end();
      joints.end();
    },
    dispose() {
      bones.dispose();
      joints.dispose();
    },
  };
}
