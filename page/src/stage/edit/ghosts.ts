/** Strobes: the character at even times of the motion, coloured by time; and the ghost of the motion before the edit. */

import { Color, Group, type ShaderMaterial } from "three";
import { distance } from "../../geometry/vectors";
import { token } from "../palette";
import { Figure } from "../parts/figure";
import { ghostMaterial } from "../parts/materials";
import type { World } from "../world";
import { interpolateCenter, interpolatePoses, spreadTimes, type Motion } from "../../store/edit/motion";

interface Shown {
  figure: Figure;
  material: ShaderMaterial;
}

const NODES = new Float32Array();
/** One that stands where the character itself stands would only blur it [s]. */
const SAME = 0.012;

/** How strongly strobes are drawn, and those that stand where the character stands. */
const [STRONG, FAINT] = [0.9, 0.18];
/** A figure that is small in the picture is hardly more than its outline: it needs a body. */
const FILL = 0.42;
/** So much farther away than they are, by the size of the character, they count as: they never hide it. */
const BEHIND = 0.6;

/** So strongly is one drawn that is so far from the character, by its size: what is dragged must be seen. */
export const findOpacity = (far: number, size: number): number => FAINT + (STRONG - FAINT) * Math.min(1, (far / (0.45 * size)) ** 2);

/** The colour of a moment: from what has been to what is to come. */
export const colorTime = (share: number, out = new Color()): Color => out.copy(token("before")).lerp(token("ahead"), share);

export class MotionGhosts extends Group {
  private readonly pool: Shown[] = [];
  private readonly ghost: Shown;

  constructor(private readonly world: World) {
    super();
    this.ghost = this.make(token("passive"), 0.75);
  }

  update(motion: Motion, moment: number, count: number, ghost: boolean): void {
    const times = spreadTimes(count, motion.duration);
    const here = interpolateCenter(motion, moment);
    while (this.pool.length < times.length) this.pool.push(this.make(new Color(), STRONG));
    this.pool.forEach(({ figure, material }, k) => {
      const time = times[k];
      figure.visible = time !== undefined && Math.abs(time - moment) > SAME;
      if (time === undefined || !figure.visible) return;
      figure.update({ poses: interpolatePoses(motion.poses, motion, time), nodes: NODES });
      const far = distance(interpolateCenter(motion, time), here);
      (material.uniforms.strength as { value: number }).value = findOpacity(far, this.world.size);
      colorTime(motion.duration > 0 ? time / motion.duration : 0, (material.uniforms.tint as { value: Color }).value);
    });
    const { figure } = this.ghost;
    figure.visible = ghost && motion.before !== null;
    if (figure.visible && motion.before) figure.update({ poses: interpolatePoses(motion.before, motion, moment), nodes: NODES });
  }

  dispose(): void {
    for (const { figure, material } of [...this.pool, this.ghost]) {
      figure.dispose();
      material.dispose();
    }
  }

  private make(tint: Color, strength: number): Shown {
    const material = ghostMaterial(tint, strength, FILL, BEHIND * this.world.size);
    // What never moves would only be drawn over itself.
    const shapes = this.world.shapes.filter((shape) => shape.body >= 0);
    const figure = new Figure(this.world, { surface: material, shapes: material }, shapes);
    figure.reveal(false, true);
    figure.traverse((part) => (part.renderOrder = 4));
    this.add(figure);
    return { figure, material };
  }
}
