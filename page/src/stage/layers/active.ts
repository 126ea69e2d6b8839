/** Where not all joints move: a mark on each that does, and lines along bones that are too thin to be seen from afar. */

import { Group } from "three";
import { moves } from "../../wire/frames";
import { toWorld } from "../../geometry/vectors";
import { token } from "../palette";
import { DISC, Dots } from "../parts/dots";
import { Strokes } from "../parts/strokes";
import type { World } from "../world";
import type { Layer } from "./layer";

/** Of more bodies than this the bodies themselves are coloured, and marks would hide them. */
const FEW = 600;

export function activeLayer({ scene, segments }: World): Layer {
  const object = new Group();
  // Behind surfaces they are hidden: what has a body to colour needs no line.
  const lines = new Strokes({ width: 2, order: 3, through: false });
  const dots = new Dots({ order: 14, through: false });
  object.add(lines, dots);
  const few = scene.bodies.length <= FEW;
  return {
    object,
    update({ poses, moving }) {
      lines.begin();
      dots.begin();
      for (let k = 0; few && moving.length > 0 && k < scene.bodies.length; k++) {
        const on = moves(moving, k);
        for (const [a, b] of segments[k] ?? []) lines.segment(toWorld(poses, k, a), toWorld(poses, k, b), token(on ? "active" : "held"));
        if (on) dots.put(toWorld(poses, k, [0, 0, 0]), { size: 6, color: token("active"), shape: DISC });
      }
      lines.end();
      dots.end();
    },
    dispose() {
      lines.dispose();
      dots.dispose();
    },
  };
}
