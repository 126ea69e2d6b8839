/** How hard hands and pins pull where a drag is a spring from outside: an arrow at the point that is held. */

import { Group } from "three";
import { pulled } from "../../store";
import type { Frame } from "../../wire/frames";
import { GOAL } from "../../wire/messages";
import { forceArrow } from "../../geometry/force";
import { add, norm, type Vec } from "../../geometry/vectors";
import { token } from "../palette";
import { Arrows } from "../parts/arrows";
import { findWeight, type World } from "../world";

/** Longest arrow, and radius of its shaft [px]. */
const [LONGEST, THICK] = [190, 2.2];

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

  constructor(world: World) {
    super();
    this.weight = findWeight(world);
    this.add(this.arrows);
  }

  /** `perPixel` tells how long a pixel is at a place of the world: near and far, an arrow is as thick as can be seen well. */
  update({ goals }: Frame, perPixel: (at: Vec) => number): void {
    this.shown = [];
    this.arrows.begin();
    for (let k = 0; pulled.value && k < goals.length; k += GOAL) {
      const [id, x, y, z] = goals.subarray(k, k + 4) as unknown as [number, number, number, number];
      const force = [...goals.subarray(k + 8, k + GOAL)] as Vec;
      const from: Vec = [x, y, z];
      const pixel = perPixel(from);
      const arrow = forceArrow(force, this.weight, LONGEST * pixel);
      if (!arrow) continue;
      this.arrows.put(from, arrow, THICK * pixel);
      this.shown.push({ goal: id, from, tip: add(from, arrow), newtons: norm(force) });
    }
    this.arrows.end();
  }

  dispose(): void {
    this.arrows.dispose();
  }
}
