/** A drag that turns something: a body at the moment that is looked at, or a nail that says how one is turned or bent. */

import { Quaternion as Rotation } from "three";
import type { HeldKeys } from "../controls/constraint";
import { RingDrag, keepTwist, type Axis } from "../controls/rings";
import { scene, selected } from "../../store";
import type { Viewer } from "../viewer";
import { rotate, type Vec } from "../../geometry/vectors";
import type { Quaternion } from "../../wire/messages";
import { Arcball } from "./arcball";
import type { Drag, Dragged } from "./drag";
import { findEditedFrame } from "./frame";
import type { Turnable } from "./handleHit";
import { EditGrab } from "./grab";
import { editTime } from "../../store/edit/state";

/** The body that a turn bends against, and about which axis of it alone; null if it is turned in the world. */
function bentAgainst(body: number): { parent: number; axis: Vec | null } | null {
  const { parent = -1, kind = "", axis = null } = scene.value?.bodies[body] ?? {};
  return parent >= 0 && (axis || kind === "ball") ? { parent, axis } : null;
}

/** The root is turned in the world, others at their joints, with Shift all in the world; a nail as it says. */
export function beginTurn(viewer: Viewer, found: Turnable | null, ring: Axis | null, x: number, y: number, { shift }: HeldKeys): Drag | null {
  const frame = findEditedFrame();
  const name = scene.value?.bodies[found?.body ?? -1]?.name;
  if (!frame || !found || name === undefined) return null;
  const { body, at, nail } = found;
  selected.value = body;
  const turnOf = (index: number) => [...frame.poses.subarray(7 * index + 3, 7 * index + 7)] as Quaternion;
  const start = nail?.kind === "rotation" ? (nail.target.slice(0, 4) as Quaternion) : turnOf(body);
  const bent = (nail ? nail.kind === "rotation" : shift) ? null : bentAgainst(body);
  const base = bent && turnOf(bent.parent);
  const axis = bent?.axis && rotate(frame.poses, 7 * bent.parent + 3, bent.axis);
  const options = nail ? { nail: nail.id } : { time: editTime.value, what: bent ? "bend" : "turn" };
  const hand = new EditGrab(name, [0, 0, 0], { target: null, orientation: toFrameOf(base, start) }, options);
  const what = nail ? null : { kind: bent ? "joint" : "rotation", body: name, point: [0, 0, 0] as Vec };
  const turning = ring ? new RingDrag(ring, at, start, viewer.ray(x, y)) : null;
  const ball = new Arcball(ballAt(viewer, at), start, x, y);
  const turn = (px: number, py: number): Quaternion => {
    const wanted = turning ? turning.move(viewer.ray(px, py)) : ball.move(px, py);
    return axis ? keepTwist(start, wanted, axis) : wanted;
  };
  return new Turned(hand, what, start, turn, base);
}

/** How something is turned, as seen from another body; in the world if there is none. */
function toFrameOf(base: Quaternion | null, turn: Quaternion): Quaternion {
  if (!base) return turn;
  return new Rotation(...base).invert().multiply(new Rotation(...turn)).toArray() as Quaternion;
}

/** On a ring about its axis; on the body itself as a ball that is rolled. */
class Turned implements Drag {
  readonly turns = true;
  readonly flat = false;

  constructor(
    readonly hand: EditGrab,
    readonly what: Dragged | null,
    private now: Quaternion,
    private readonly turn: (x: number, y: number) => Quaternion,
    /** The parent of a joint that is bent. */
    private readonly base: Quaternion | null,
  ) {}

  get wanted(): number[] | null {
    return this.base ? null : this.now;
  }

  follow(x: number, y: number): void {
    this.now = this.turn(x, y);
    this.hand.move({ target: null, orientation: toFrameOf(this.base, this.now) });
  }

  anchor(): void {
    // A turn has no plane to move in.
  }

  deepen(): boolean {
    return false;
  }
}

/** A ball around a place, as the camera sees it. */
function ballAt(viewer: Viewer, at: Vec) {
  const e = viewer.camera.camera.matrixWorld.elements;
  const column = (k: number): Vec => [e[4 * k] as number, e[4 * k + 1] as number, e[4 * k + 2] as number];
  const radius = Math.max(60, 0.22 * viewer.canvas.clientHeight);
  return { ...viewer.project(...at), radius, right: column(0), up: column(1), toward: column(2) };
}
