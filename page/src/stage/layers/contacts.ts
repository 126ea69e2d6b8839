/** Where the character touches, and the forces there; an arrow as long as the character holds its whole weight. */

import { Group } from "three";
import { norm, scale, type Vec } from "../../geometry/vectors";
import { token } from "../palette";
import { Arrows } from "../parts/arrows";
import { Dots } from "../parts/dots";
import { findWeight, type World } from "../world";
import type { Layer } from "./layer";

export function contactsLayer(world: World): Layer {
  const object = new Group();
  const arrows = new Arrows(token("warn"));
  const dots = new Dots({ order: 17 });
  object.add(arrows, dots);
  const perNewton = (0.9 * world.size) / findWeight(world);
  return {
    object,
    update({ contacts }) {
      arrows.begin();
      dots.begin();
      for (let k = 0; k + 5 < contacts.length; k += 6) {
        const at: Vec = [contacts[k] as number, contacts[k + 1] as number, contacts[k + 2] as number];
        const force: Vec = [contacts[k + 3] as number, contacts[k + 4] as number, contacts[k + 5] as number];
        const arrow = scale(force, perNewton);
        // A hard landing would fill the whole picture.
        const length = norm(arrow);
        arrows.put(at, length > 1.5 * world.size ? scale(arrow, (1.5 * world.size) / length) : arrow, 0.004 * world.size);
        dots.put(at, { size: 5, color: token("warn"), alpha: 0.9 });
      }
      arrows.end();
      dots.end();
    },
    dispose() {
      arrows.dispose();
      dots.dispose();
    },
  };
}
