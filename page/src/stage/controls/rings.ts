/** Turning the whole character: rings around its root, one for each axis that it can turn about. */

import { Group, Quaternion, Vector3 } from "three";
import type { Quaternion as Numbers } from "../../wire/messages";
import { rayPlane, type Ray } from "../../geometry/ray";
import { add, cross, dot, norm, scale, sub, type Vec } from "../../geometry/vectors";
import { token } from "../palette";
import { Dots } from "../parts/dots";
import { Strokes } from "../parts/strokes";
import type { Viewer } from "../viewer";
import { AXES } from "./constraint";

export type Axis = "x" | "y" | "z";

const STEPS = 72;
/** How near to a ring the pointer must be [px]. */
const NEAR = 9;

/** Angle of the turn about `axis` from one point to another, seen from `center` [rad]. */
export function angleBetween(from: Vec, to: Vec, center: Vec, axis: Vec): number {
  const [a, b] = [sub(from, center), sub(to, center)];
  return Math.atan2(dot(cross(a, b), axis), dot(a, b));
}

/** First as it was, then by an angle about a world axis; x, y, z, w. */
export function turnBy(start: Numbers, axis: Vec, angle: number): Numbers {
  const turn = new Quaternion().setFromAxisAngle(new Vector3(...axis), angle);
  return turn.multiply(new Quaternion(...start)).normalize().toArray() as Numbers;
}

/** From `start` as near to `wanted` as a turn about a world axis comes. */
export function keepTwist(start: Numbers, wanted: Numbers, axis: Vec): Numbers {
  const turn = new Quaternion(...wanted).multiply(new Quaternion(...start).invert());
  return turnBy(start, axis, 2 * Math.atan2(turn.x * axis[0] + turn.y * axis[1] + turn.z * axis[2], turn.w));
}

/** Points of a circle about an axis. */
export function makeCircle(center: Vec, axis: Axis, radius: number): Vec[] {
  const [u, v] = axis === "x" ? [AXES.y, AXES.z] : axis === "y" ? [AXES.z, AXES.x] : [AXES.x, AXES.y];
  return Array.from({ length: STEPS + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / STEPS;
    return add(center, add(scale(u, radius * Math.cos(angle)), scale(v, radius * Math.sin(angle))));
  });
}

/** One drag of a ring. */
export class RingDrag {
  private angle = 0;
  private last: Vec | null;

  constructor(readonly axis: Axis, private readonly center: Vec, private readonly start: Numbers, ray: Ray) {
    this.last = rayPlane(ray, center, AXES[axis]);
  }

  /** The orientation for a pointer there; turns more than once around if the pointer does. */
  move(ray: Ray): Numbers {
    const now = rayPlane(ray, this.center, AXES[this.axis]);
    if (now && this.last && norm(sub(now, this.center)) > 1e-9) {
      this.angle += angleBetween(this.last, now, this.center, AXES[this.axis]);
      this.last = now;
    }
    return turnBy(this.start, AXES[this.axis], this.angle);
  }
}

export class Rings extends Group {
  private readonly thin = new Strokes({ width: 2.5, opacity: 0.6, order: 26 });
  private readonly thick = new Strokes({ width: 4.5, opacity: 1, order: 27 });
  private readonly dots = new Dots({ order: 28 });
  private paths: [Axis, Vec[]][] = [];

  constructor() {
    super();
    this.add(this.thin, this.thick, this.dots);
  }

  /** Rings around a place; `lit` is the one meant. */
  show(center: Vec, radius: number, axes: Axis[], lit: Axis | null): void {
    this.visible = true;
    this.paths = axes.map((axis) => [axis, makeCircle(center, axis, radius)]);
    this.thin.begin();
    this.thick.begin();
    this.dots.begin();
    for (const [axis, path] of this.paths) {
      const color = token(axis === "x" ? "bad" : axis === "y" ? "good" : "pose");
      (axis === lit ? this.thick : this.thin).path(path, color);
    }
    this.dots.put(center, { size: 6, color: token("turn") });
    this.thin.end();
    this.thick.end();
    this.dots.end();
  }

  hide(): void {
    this.visible = false;
    this.paths = [];
  }

  /** The ring under a place of the window; of several the one nearest to the eye. */
  hit(viewer: Viewer, x: number, y: number): Axis | null {
    const eye = viewer.camera.camera.position.toArray() as Vec;
    let [found, least]: [Axis | null, number] = [null, Infinity];
    for (const [axis, path] of this.paths) {
      for (const point of path) {
        const { x: px, y: py } = viewer.project(...point);
        const far = norm(sub(point, eye));
        if (Math.hypot(px - x, py - y) < NEAR && far < least) [found, least] = [axis, far];
      }
    }
    return found;
  }

  dispose(): void {
    this.thin.dispose();
    this.thick.dispose();
    this.dots.dispose();
  }
}
