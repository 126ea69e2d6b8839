/** Where a dragged target may go: in a plane, or along a line. A pointer has two directions, the world three. */

import { rayLine, rayPlane, type Ray } from "../../geometry/ray";
import { add, cross, distance, dot, norm, scale, sub, type Vec } from "../../geometry/vectors";

type Constraint = { kind: "plane"; normal: Vec } | { kind: "line"; axis: Vec };

export const AXES: Record<"x" | "y" | "z", Vec> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** Keys that say where a target may go: a letter that was pressed during the drag, and what is held. */
export interface HeldKeys {
  axis: "x" | "y" | "z" | null;
  shift: boolean;
  control: boolean;
}

export interface ConstraintInput extends HeldKeys {
  /** As chosen before the drag. */
  plane: "camera" | "floor" | "axis";
  /** Normal of the plane that the character cannot leave; null if it can go anywhere. */
  flat: Vec | null;
}

/** What counts: a letter key first, then Shift (floor) and Ctrl or Alt (upright), then the choice made before. */
export function findConstraint(wish: ConstraintInput, view: Vec): Constraint {
  const free = chosen(wish, view);
  // A target outside its plane could never be reached.
  if (!wish.flat) return free;
  if (free.kind === "line") return Math.abs(dot(free.axis, wish.flat)) > 0.7 ? { kind: "plane", normal: wish.flat } : free;
  const along = cross(wish.flat, free.normal);
  const length = norm(along);
  return length < 0.2 || !level(wish) ? { kind: "plane", normal: wish.flat } : { kind: "line", axis: scale(along, 1 / length) };
}

const level = (wish: ConstraintInput): boolean => wish.shift || (wish.plane === "floor" && !wish.control);

function chosen(wish: ConstraintInput, view: Vec): Constraint {
  if (wish.axis) return { kind: "line", axis: AXES[wish.axis] };
  if (wish.shift) return { kind: "plane", normal: AXES.y };
  if (wish.control) return { kind: "line", axis: AXES.y };
  if (wish.plane === "floor") return { kind: "plane", normal: AXES.y };
  if (wish.plane === "axis") return { kind: "line", axis: AXES.y };
  return { kind: "plane", normal: view };
}

/** A target moved away from the eye, by a share of its distance. */
export const moveDeeper = (target: Vec, eye: Vec, share: number): Vec => add(target, scale(sub(target, eye), share));

/** The point under a ray; null if the constraint is seen edge-on. */
export function findPointUnder(ray: Ray, through: Vec, constraint: Constraint): Vec | null {
  return constraint.kind === "plane" ? rayPlane(ray, through, constraint.normal) : rayLine(ray, through, constraint.axis);
}

/** A drag moves by differences from where it was last anchored, so that nothing jumps when the constraint changes. */
export class Anchor {
  private readonly start: Vec | null;

  constructor(readonly target: Vec, ray: Ray, readonly constraint: Constraint) {
    this.start = findPointUnder(ray, target, constraint);
  }

  /** The target for a pointer there; null if nothing sensible is under it. */
  move(ray: Ray, reach: number): Vec | null {
    const now = findPointUnder(ray, this.target, this.constraint);
    if (!this.start || !now) return null;
    const target = add(this.target, sub(now, this.start));
    // Toward the horizon a plane runs away: a target far outside the stage helps nobody.
    return distance(target, this.target) <= reach ? target : null;
  }
}
