/** Whole poses that are wanted, as ghosts: of nails that want one, and of a mark that is dragged along the timeline. */

import { Group, type ShaderMaterial } from "three";
import { token } from "../palette";
import { Figure } from "../parts/figure";
import { ghostMaterial } from "../parts/materials";
import type { World } from "../world";
import type { Edit } from "../../wire/messages";
import { interpolatePoses, type Motion } from "../../store/edit/motion";

const NODES = new Float32Array();

/** Poses that are wanted: of each body its place and quaternion, 7 numbers. */
export function findWantedPoses({ nails }: Pick<Edit, "nails">, motion: Motion, retimed: number | null): Float32Array[] {
  const wanted = nails.filter(({ kind, target }) => kind === "pose" && target.length === 7 * motion.bodies).map(({ target }) => Float32Array.from(target));
  return retimed === null ? wanted : [...wanted, interpolatePoses(motion.poses, motion, retimed)];
}

export class WantedPoses extends Group {
  private readonly figures: Figure[] = [];
  private readonly material: ShaderMaterial = ghostMaterial(token("accent"), 0.8);

  constructor(private readonly world: World) {
    super();
  }

  /** `retimed` the moment of the pose that is dragged; null if none is. */
  update(edit: Edit, motion: Motion, retimed: number | null): void {
    const wanted = findWantedPoses(edit, motion, retimed);
    while (this.figures.length < wanted.length) this.figures.push(this.make());
    this.figures.forEach((figure, k) => {
      const poses = wanted[k];
      figure.visible = poses !== undefined;
      if (poses) figure.update({ poses, nodes: NODES });
    });
  }

  dispose(): void {
    for (const figure of this.figures) figure.dispose();
    this.material.dispose();
  }

  private make(): Figure {
    const shapes = this.world.shapes.filter(({ body }) => body >= 0);
    const figure = new Figure(this.world, { surface: this.material, shapes: this.material }, shapes);
    figure.reveal(false, true);
    figure.traverse((part) => (part.renderOrder = 4));
    this.add(figure);
    return figure;
  }
}
