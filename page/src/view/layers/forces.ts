/** How hard hands and pins pull where a drag is a spring from outside: an arrow at the point that is held. */

import { Group } from "three";
import { pulled } from "../../store";
import type { Frame } from "../../wire/frames";
import { GOAL } from "../../wire/messages";
import { forceArrow } from "../geometry/force";
import { add, norm, type Vec } from "../geometry/vectors";
import { token } from "../palette";
import { Arrows } from "../parts/arrows";
import { weightOf, type World } from "../world";

/** A force as it is drawn. */
export interface Force {
  goal: number;
  /** Where the arrow begins and where it ends, in the world. */
  from: Vec;
  tip: Vec;
  newtons: number;
}

export class Forces extends Group {
  shown: Force[] = [];
  private readonly arrows = new Arrows(token("force"));
  private readonly weight: number;

  constructor(private readonly world: World) {
    super();
    this.weight = weightOf(world);
    this.add(this.arrows);
  }

  update({ goals }: Frame): void {
    this.shown = [];
    this.arrows.begin();
    for (let k = 0; pulled.value && k < goals.length; k += GOAL) {
      const [id, x, y, z] = goals.subarray(k, k + 4) as unknown as [number, number, number, number];
      const force = [...goals.subarray(k + 8, k + GOAL)] as Vec;
      const arrow = forceArrow(force, this.weight, this.world.size);
      if (!arrow) continue;
      const from: Vec = [x, y, z];
      this.arrows.put(from, arrow, 0.0055 * this.world.size);
      this.shown.push({ goal: id, from, tip: add(from, arrow), newtons: norm(force) });
    }
    this.arrows.end();
  }

  dispose(): void {
    this.arrows.dispose();
  }
}
