/** Paths of the motion: of the body that is meant or of all, and of the centre of gravity; the old one beside the new. */

import { Color, Group } from "three";
import { mix, type Vec } from "../../geometry/vectors";
import { token } from "../palette";
import { Strokes } from "../parts/strokes";
import type { World } from "../world";
import { traceCenter, tracePath, type Motion } from "../../store/edit/motion";
import type { Paths } from "../../store/edit/state";
import { colorTime } from "./ghosts";

/** The body that is meant, and the point of it. */
export interface TrailTarget {
  body: number;
  point: Vec;
}

export class Trails extends Group {
  private readonly strong = new Strokes({ width: 2.5, opacity: 0.9, order: 6 });
  private readonly thin = new Strokes({ width: 1.5, opacity: 0.5, order: 5 });
  private drawn = "";
  private of: Motion | null = null;

  constructor(private readonly world: World) {
    super();
    this.add(this.thin, this.strong);
  }

  update(motion: Motion, which: Paths, meant: TrailTarget | null, ghost: boolean): void {
    const about = `${which} ${meant?.body} ${meant?.point.map((c) => c.toFixed(3)).join()} ${ghost} ${token("before").getHexString()}`;
    if (this.of === motion && this.drawn === about) return;
    [this.of, this.drawn] = [motion, about];
    this.strong.begin();
    this.thin.begin();
    if (which !== "none") {
      this.thin.path(traceCenter(motion), token("center"));
      if (which === "all") for (let k = 0; k < motion.bodies; k++) this.path(this.thin, motion, tracePath(motion.poses, motion, k, findEnd(this.world, k)));
      if (meant) {
        if (ghost && motion.before) this.thin.path(tracePath(motion.before, motion, meant.body, meant.point), token("passive"));
        this.path(this.strong, motion, tracePath(motion.poses, motion, meant.body, meant.point));
      }
    }
    this.strong.end();
    this.thin.end();
  }

  dispose(): void {
    this.strong.dispose();
    this.thin.dispose();
  }

  private path(strokes: Strokes, { times, duration }: Motion, points: Vec[]): void {
    const [from, to] = [new Color(), new Color()];
    for (let k = 1; k < points.length; k++) {
      const share = (i: number) => (duration > 0 ? (times[i] as number) / duration : 0);
      strokes.segment(points[k - 1] as Vec, points[k] as Vec, colorTime(share(k - 1), from), colorTime(share(k), to));
    }
  }
}

/** The middle of a bone: what stands for a body that is selected as a whole. */
export function findMiddle(world: World, body: number): Vec {
  const [from, to] = world.segments[body]?.[0] ?? [[0, 0, 0], [0, 0, 0]];
  return mix(from as Vec, to as Vec, 0.5);
}

/** The far end of a bone: its way tells more than that of the joint, which is its parent's too. */
export function findEnd(world: World, body: number): Vec {
  return world.segments[body]?.[0]?.[1] ?? [0, 0, 0];
}
