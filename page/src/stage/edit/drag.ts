/** A drag of the motion: how a pointer becomes a wish, from the moment it takes hold until it lets go. */

import { Anchor, findConstraint, moveDeeper, type HeldKeys } from "../controls/constraint";
import { findPlaneNormal } from "../controls/target";
import { edit, findBody, mode, plane, scene, selected } from "../../store";
import type { Viewer } from "../viewer";
import { toWorld, type Vec } from "../../geometry/vectors";
import type { NailInfo } from "../../wire/messages";
import { chooseNail } from "../../store/edit/actions";
import { findEditedFrame } from "./frame";
import { findTurnable, findTurnedBody, type Hit } from "./handleHit";
import { findHandle, isHere, findTarget } from "./handles";
import { findSignSize } from "./bounds";
import { EditGrab } from "./grab";
import { editTime, dragBand } from "../../store/edit/state";
import { beginTurn } from "./turn";

/** What a nail would hold of what is dragged. */
export interface Dragged {
  kind: string;
  body: string;
  point: Vec;
}

export interface Drag {
  readonly hand: EditGrab;
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
export function beginDrag(viewer: Viewer, grasp: Hit, x: number, y: number, keys: HeldKeys): Drag | null {
  if (grasp.nail) return beginNail(viewer, grasp.nail, x, y, keys);
  const { ring, pick } = grasp;
  if (ring) return beginTurn(viewer, findTurnedBody(), ring, x, y, keys);
  if (mode.value === "turn") return beginTurn(viewer, pick && findTurnable(pick.body), null, x, y, keys);
  return beginMove(viewer, grasp, x, y, keys);
}

function beginMove(viewer: Viewer, { pick }: Hit, x: number, y: number, keys: HeldKeys): Drag | null {
  const center = mode.value === "center";
  const body = pick?.body ?? 0;
  const name = scene.value?.bodies[body]?.name;
  if (name === undefined || !findEditedFrame()) return null;
  const nailed = center ? undefined : nailOn(name);
  if (nailed) return beginNail(viewer, nailed, x, y, keys);
  const point: Vec = center ? [0, 0, 0] : (pick?.point ?? [0, 0, 0]);
  const from = (): Vec => {
    const shown = findEditedFrame();
    if (!shown) return [0, 0, 0];
    return center ? ([...shown.center.subarray(0, 3)] as Vec) : toWorld(shown.poses, body, point);
  };
  const target = from();
  if (!center) selected.value = body;
  const hand = new EditGrab(name, point, { target, orientation: null }, { time: editTime.value, what: center ? "center" : "point" });
  dragBand.now = { from, to: target };
  const what = { kind: center ? "center" : "point", body: name, point };
  return new Moving(viewer, hand, what, body, target, (at) => at, x, y, keys);
}

/** A nail of this body's place at the moment that is looked at: who drags the body then means the nail. */
const nailOn = (name: string): NailInfo | undefined =>
  edit.value?.nails.find((nail) => nail.kind === "point" && nail.body === name && isHere(nail.time, editTime.value));

function beginNail(viewer: Viewer, nail: NailInfo, x: number, y: number, keys: HeldKeys): Drag | null {
  const size = viewer.world ? findSignSize(viewer.world) : 1;
  chooseNail(nail);
  const { at, turns } = findHandle(nail, size);
  // A whole pose is moved in time alone.
  if (nail.kind === "pose") return null;
  if (turns) return beginTurn(viewer, findTurnable(findBody(nail.body), nail), null, x, y, keys);
  const hand = new EditGrab(nail.body, nail.point, { target: findTarget(nail, size, at), orientation: null }, { nail: nail.id });
  return new Moving(viewer, hand, null, findBody(nail.body), at, (to) => findTarget(nail, size, to), x, y, keys);
}

class Moving implements Drag {
  readonly turns = false;
  readonly flat: boolean;
  private anchored: Anchor;

  constructor(
    private readonly viewer: Viewer,
    readonly hand: EditGrab,
    readonly what: Dragged | null,
    private readonly body: number,
    private target: Vec,
    /** What the studio is told for a target. */
    private readonly meaning: (target: Vec) => Vec,
    x: number,
    y: number,
    keys: HeldKeys,
  ) {
    this.flat = body >= 0 && findPlaneNormal(body) !== null;
    this.anchored = this.anchorAt(x, y, keys);
  }

  get wanted(): number[] {
    return this.target;
  }

  follow(x: number, y: number): void {
    const target = this.anchored.move(this.viewer.ray(x, y), 30 * (this.viewer.world ? findSignSize(this.viewer.world) : 1));
    if (target) this.go(target);
  }

  anchor(x: number, y: number, keys: HeldKeys): void {
    this.anchored = this.anchorAt(x, y, keys);
  }

  deepen(share: number): boolean {
    if (!this.flat) this.go(moveDeeper(this.target, this.viewer.eye, share));
    return !this.flat;
  }

  private go(target: Vec): void {
    this.target = target;
    if (dragBand.now) dragBand.now.to = target;
    this.hand.move({ target: this.meaning(target), orientation: null });
  }

  private anchorAt(x: number, y: number, keys: HeldKeys): Anchor {
    const way = { plane: plane.value, ...keys, flat: this.body >= 0 ? findPlaneNormal(this.body) : null };
    return new Anchor(this.target, this.viewer.ray(x, y), findConstraint(way, this.viewer.forward));
  }
}
