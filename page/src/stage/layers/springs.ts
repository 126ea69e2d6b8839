/** Springs of the scene: from a point of a body to where it is tied in the world. */

import { Group } from "three";
import { springLine } from "../../geometry/spring";
import { distance, toWorld, type Vec } from "../../geometry/vectors";
import { token } from "../palette";
import { DISC, Dots, RING } from "../parts/dots";
import { Strokes } from "../parts/strokes";
import type { Moment, World } from "../world";

export class Springs extends Group {
  private readonly strokes = new Strokes({ width: 2, opacity: 0.9, order: 22 });
  private readonly dots = new Dots({ order: 23 });

  constructor(private readonly world: World) {
    super();
    this.add(this.strokes, this.dots);
  }

  /** `forward` into the picture. */
  update({ poses }: Moment, forward: Vec): void {
    const { scene, size } = this.world;
    if (scene.pulls.length === 0) return;
    this.strokes.begin();
    this.dots.begin();
    const color = token("force");
    for (const { body, point, anchor } of scene.pulls) {
      const at = toWorld(poses, body, point);
      this.strokes.path(springLine(at, anchor, forward, Math.min(0.035 * size, 0.4 * distance(at, anchor))), color);
      this.dots.put(at, { size: 7, color, shape: DISC });
      this.dots.put(anchor, { size: 13, color, shape: RING });
      this.dots.put(anchor, { size: 5, color, shape: DISC });
    }
    this.strokes.end();
    this.dots.end();
  }

  dispose(): void {
    this.strokes.dispose();
    this.dots.dispose();
  }
}
