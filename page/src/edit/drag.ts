/** A drag of the motion: how a pointer becomes a wish, from the moment it takes hold until it lets go. */

import { Quaternion as Rotation } from "three";
import { Anchor, constraintOf, deeper, type HeldKeys } from "../hands/constraint";
import { flatNormal } from "../hands/meaning";
import { Turning, twisted } from "../hands/turning";
import { edit, mode, plane, scene, selected } from "../store";
import type { Viewer } from "../view/viewer";
import { rotate, toWorld, type Vec } from "../view/geometry/vectors";
import type { NailInfo, Quaternion } from "../wire/messages";
import { chooseNail } from "./actions";
import { Arcball } from "./arcball";
import { editedFrame } from "./frame";
import { turnedBody, type Grasp } from "./grasp";
import { handleOf, isHere, targetFor } from "./handles";
import { signSize } from "./measure";
import { EditHand } from "./sender";
import { moment, pull } from "./state";

/** What a nail would hold of what is dragged. */
export interface Dragged {
  kind: string;
  body: string;
  point: Vec;
}

export interface Drag {
  readonly hand: EditHand;
  readonly turns: boolean;
  /** null if it is a nail already. */
  readonly what: Dragged | null;
  /** Whether it cannot leave a plane. */
  readonly flat: boolean;
  /** What is wanted just now: a place, or how it is turned; null for what there is. */
  readonly wanted: number[] | null;
  /** The pointer is there now. */
  follow(x: number, y: number): void;
  /** Go on from where the target is now, with other keys held. */
  anchor(x: number, y: number, keys: HeldKeys): void;
  /** Away from the eye by a share of its distance; false if it cannot go there. */
  deepen(share: number): boolean;
}

/** Take hold of what is under a pointer; null if a drag of it means nothing. */
export function beginDrag(viewer: Viewer, grasp: Grasp, x: number, y: number, keys: HeldKeys): Drag | null {
  if (grasp.nail) return beginNail(viewer, grasp.nail, x, y, keys);
  return grasp.ring || mode.value === "turn" ? beginTurn(viewer, grasp, x, y, keys) : beginMove(viewer, grasp, x, y, keys);
}

function beginMove(viewer: Viewer, { pick }: Grasp, x: number, y: number, keys: HeldKeys): Drag | null {
  const center = mode.value === "center";
  const body = pick?.body ?? 0;
  const name = scene.value?.bodies[body]?.name;
  if (name === undefined || !editedFrame()) return null;
  const nailed = center ? undefined : nailOn(name);
  if (nailed) return beginNail(viewer, nailed, x, y, keys);
  const point: Vec = center ? [0, 0, 0] : (pick?.point ?? [0, 0, 0]);
  const from = (): Vec => {
    const shown = editedFrame();
    if (!shown) return [0, 0, 0];
    return center ? ([...shown.center.subarray(0, 3)] as Vec) : toWorld(shown.poses, body, point);
  };
  const target = from();
  if (!center) selected.value = body;
  const hand = new EditHand(name, point, { target, orientation: null }, { time: moment.value, what: center ? "center" : "point" });
  pull.now = { from, to: target };
  const what = { kind: center ? "center" : "point", body: name, point };
  return new Moving(viewer, hand, what, body, target, (at) => at, x, y, keys);
}

/** A nail of this body's place at the moment that is looked at: who drags the body then means the nail. */
const nailOn = (name: string): NailInfo | undefined =>
  edit.value?.nails.find((nail) => nail.kind === "point" && nail.body === name && isHere(nail.time, moment.value));

function beginNail(viewer: Viewer, nail: NailInfo, x: number, y: number, keys: HeldKeys): Drag | null {
  const size = viewer.world ? signSize(viewer.world) : 1;
  chooseNail(nail);
  const { at, turns } = handleOf(nail, size);
  // What is turned has rings, which are there now that it is chosen.
  if (turns) return null;
  const hand = new EditHand(nail.body, nail.point, { target: targetFor(nail, size, at), orientation: null }, { nail: nail.id });
  const body = scene.value?.bodies.findIndex(({ name }) => name === nail.body) ?? -1;
  return new Moving(viewer, hand, null, body, at, (to) => targetFor(nail, size, to), x, y, keys);
}

/** The body that a turn bends against, and about which axis of it alone; null if it is turned in the world. */
function bentAgainst(body: number): { parent: number; axis: Vec | null } | null {
  const { parent = -1, kind = "", axis = null } = scene.value?.bodies[body] ?? {};
  return parent >= 0 && (axis || kind === "ball") ? { parent, axis } : null;
}

/** The root is turned in the world, others at their joints; with Shift all in the world. */
function beginTurn(viewer: Viewer, { ring, pick }: Grasp, x: number, y: number, { shift }: HeldKeys): Drag | null {
  const frame = editedFrame();
  const found = ring ? turnedBody() : pick && frame && { body: pick.body, at: toWorld(frame.poses, pick.body, [0, 0, 0]), nail: null };
  const name = scene.value?.bodies[found?.body ?? -1]?.name;
  if (!frame || !found || name === undefined) return null;
  selected.value = found.body;
  const now = [...frame.poses.subarray(7 * found.body + 3, 7 * found.body + 7)] as Quaternion;
  const start = found.nail ? (found.nail.target.slice(0, 4) as Quaternion) : now;
  const bent = shift || found.nail ? null : bentAgainst(found.body);
  const bends = bent !== null;
  const base = bent && ([...frame.poses.subarray(7 * bent.parent + 3, 7 * bent.parent + 7)] as Quaternion);
  const axis = bent?.axis && rotate(frame.poses, 7 * bent.parent + 3, bent.axis);
  const options = found.nail ? { nail: found.nail.id } : { time: moment.value, what: bends ? "bend" : "turn" };
  const hand = new EditHand(name, [0, 0, 0], { target: null, orientation: seenFrom(base, start) }, options);
  const what = found.nail ? null : { kind: bends ? "joint" : "rotation", body: name, point: [0, 0, 0] as Vec };
  const turning = ring ? new Turning(ring, found.at, start, viewer.ray(x, y)) : null;
  const ball = new Arcball(ballAt(viewer, found.at), start, x, y);
  const turn = (px: number, py: number): Quaternion => {
    const wanted = turning ? turning.move(viewer.ray(px, py)) : ball.move(px, py);
    return axis ? twisted(start, wanted, axis) : wanted;
  };
  return new Turned(hand, what, start, turn, base);
}

/** How something is turned, as seen from another body; in the world if there is none. */
export function seenFrom(base: Quaternion | null, turn: Quaternion): Quaternion {
  if (!base) return turn;
  return new Rotation(...base).invert().multiply(new Rotation(...turn)).toArray() as Quaternion;
}

/** On a ring about its axis; on the body itself as a ball that is rolled. */
class Turned implements Drag {
  readonly turns = true;
  readonly flat = false;

  constructor(
    readonly hand: EditHand,
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
    this.hand.move({ target: null, orientation: seenFrom(this.base, this.now) });
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

class Moving implements Drag {
  readonly turns = false;
  readonly flat: boolean;
  private anchored: Anchor;

  constructor(
    private readonly viewer: Viewer,
    readonly hand: EditHand,
    readonly what: Dragged | null,
    private readonly body: number,
    private target: Vec,
    /** What the studio is told for a target. */
    private readonly meaning: (target: Vec) => Vec,
    x: number,
    y: number,
    keys: HeldKeys,
  ) {
    this.flat = body >= 0 && flatNormal(body) !== null;
    this.anchored = this.anchorAt(x, y, keys);
  }

  get wanted(): number[] {
    return this.target;
  }

  follow(x: number, y: number): void {
    const target = this.anchored.move(this.viewer.ray(x, y), 30 * (this.viewer.world ? signSize(this.viewer.world) : 1));
    if (target) this.go(target);
  }

  anchor(x: number, y: number, keys: HeldKeys): void {
    this.anchored = this.anchorAt(x, y, keys);
  }

  deepen(share: number): boolean {
    if (!this.flat) this.go(deeper(this.target, this.viewer.eye, share));
    return !this.flat;
  }

  private go(target: Vec): void {
    this.target = target;
    if (pull.now) pull.now.to = target;
    this.hand.move({ target: this.meaning(target), orientation: null });
  }

  private anchorAt(x: number, y: number, keys: HeldKeys): Anchor {
    const way = { plane: plane.value, ...keys, flat: this.body >= 0 ? flatNormal(this.body) : null };
    return new Anchor(this.target, this.viewer.ray(x, y), constraintOf(way, this.viewer.forward));
  }
}
