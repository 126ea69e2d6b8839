/** What is under a pointer while a motion is edited, and what a drag of it means. */

import { findRoot } from "../controls/target";
import { pickBone, type Pick } from "../controls/pick";
import type { Axis, Rings } from "../controls/rings";
import { edit, findBody, mode, scene, selected } from "../../store";
import type { Viewer } from "../viewer";
import { toWorld, type Vec } from "../../geometry/vectors";
import type { NailInfo } from "../../wire/messages";
import { findEditedFrame } from "./frame";
import { findHandle, isHere, nearestHandle } from "./handles";
import { findSignSize } from "./bounds";
import { chosenNail, editTime, findNail } from "../../store/edit/state";

/** How near to a handle the pointer must be [px]. */
const [NEAR, TOUCH] = [13, 24];

export interface Hit {
  nail: NailInfo | null;
  /** The ring of what can be turned. */
  ring: Axis | null;
  /** On the centre of gravity. */
  center: boolean;
  pick: Pick | null;
}

export const NO_HIT: Hit = { nail: null, ring: null, center: false, pick: null };

/** Whether a drag from there is the motion's, and not the camera's. */
export const isHit = ({ nail, ring, center, pick: found }: Hit): boolean => nail !== null || ring !== null || center || found !== null;

export function findHit(viewer: Viewer, rings: Rings, x: number, y: number, touch: boolean): Hit {
  const reach = touch ? TOUCH : NEAR;
  const ring = rings.visible ? rings.hit(viewer, x, y) : null;
  if (ring) return { ...NO_HIT, ring };
  const nail = nailAt(viewer, x, y, reach);
  if (nail) return { ...NO_HIT, nail };
  const center = mode.value === "center" && onCenter(viewer, x, y, reach + 4);
  return { nail: null, ring: null, center, pick: pickBone(viewer, x, y, touch ? 14 : 5) };
}

function nailAt(viewer: Viewer, x: number, y: number, reach: number): NailInfo | null {
  const size = viewer.world ? findSignSize(viewer.world) : 1;
  const handles = (edit.value?.nails ?? []).flatMap((nail) => {
    const { at, root, turns } = findHandle(nail, size);
    const here = isHere(nail.time, editTime.value) || nail.id === chosenNail.value;
    // A pin can be taken by its head, too.
    const spots: Vec[] = root || turns ? [at] : [at, [at[0], at[1] + 0.09 * size, at[2]]];
    return spots.map((spot) => ({ nail, here, ...viewer.project(...spot) }));
  });
  return nearestHandle(handles, x, y, reach)?.nail ?? null;
}

/** Where in the window a nail can be taken; null if there is no such nail. */
export function findNailSpot(viewer: Viewer, id: number): { x: number; y: number } | null {
  const found = findNail(id);
  return found && viewer.world ? viewer.project(...findHandle(found, findSignSize(viewer.world)).at) : null;
}

function onCenter(viewer: Viewer, x: number, y: number, reach: number): boolean {
  const center = findEditedFrame()?.center;
  if (!center) return false;
  const at = viewer.project(center[0] as number, center[1] as number, center[2] as number);
  return Math.hypot(at.x - x, at.y - y) < reach;
}

/** What can be turned: a body, or the nail that says how it is turned or bent. */
export interface Turnable {
  body: number;
  at: Vec;
  nail: NailInfo | null;
}

export function findTurnable(body: number, nail: NailInfo | null = null): Turnable | null {
  const frame = findEditedFrame();
  if (!frame || !scene.value?.bodies[body]) return null;
  return { body, at: nail?.place ?? toWorld(frame.poses, body, [0, 0, 0]), nail };
}

/** What has rings: a chosen nail that turns, else, with that tool, the selected body or the root. */
export function findTurnedBody(): Turnable | null {
  const nail = findNail(chosenNail.value);
  if (nail?.kind === "rotation" && isHere(nail.time, editTime.value)) return findTurnable(findBody(nail.body), nail);
  return mode.value === "turn" ? findTurnable(selected.value >= 0 ? selected.value : Math.max(0, findRoot(-1))) : null;
}
