/** What is under a pointer while a motion is edited, and what a drag of it means. */

import { rootOf } from "../controls/target";
import { pick, type Pick } from "../controls/pick";
import type { Axis, Rings } from "../controls/rings";
import { edit, findBody, mode, scene, selected } from "../../store";
import type { Viewer } from "../viewer";
import { toWorld, type Vec } from "../../geometry/vectors";
import type { NailInfo } from "../../wire/messages";
import { editedFrame } from "./frame";
import { handleOf, isHere, nearestHandle } from "./handles";
import { signSize } from "./bounds";
import { chosenNail, moment, nailOf } from "../../store/edit/state";

/** How near to a handle the pointer must be [px]. */
const [NEAR, TOUCH] = [13, 24];

export interface Grasp {
  nail: NailInfo | null;
  /** The ring of what can be turned. */
  ring: Axis | null;
  /** On the centre of gravity. */
  center: boolean;
  pick: Pick | null;
}

export const NOTHING: Grasp = { nail: null, ring: null, center: false, pick: null };

/** Whether a drag from there is the motion's, and not the camera's. */
export const holds = ({ nail, ring, center, pick: found }: Grasp): boolean => nail !== null || ring !== null || center || found !== null;

export function graspAt(viewer: Viewer, rings: Rings, x: number, y: number, touch: boolean): Grasp {
  const reach = touch ? TOUCH : NEAR;
  const ring = rings.visible ? rings.hit(viewer, x, y) : null;
  if (ring) return { ...NOTHING, ring };
  const nail = nailAt(viewer, x, y, reach);
  if (nail) return { ...NOTHING, nail };
  const center = mode.value === "center" && onCenter(viewer, x, y, reach + 4);
  return { nail: null, ring: null, center, pick: pick(viewer, x, y, touch ? 14 : 5) };
}

function nailAt(viewer: Viewer, x: number, y: number, reach: number): NailInfo | null {
  const size = viewer.world ? signSize(viewer.world) : 1;
  const handles = (edit.value?.nails ?? []).flatMap((nail) => {
    const { at, root, turns } = handleOf(nail, size);
    const here = isHere(nail.time, moment.value) || nail.id === chosenNail.value;
    // A pin can be taken by its head, too.
    const spots: Vec[] = root || turns ? [at] : [at, [at[0], at[1] + 0.09 * size, at[2]]];
    return spots.map((spot) => ({ nail, here, ...viewer.project(...spot) }));
  });
  return nearestHandle(handles, x, y, reach)?.nail ?? null;
}

/** Where in the window a nail can be taken; null if there is no such nail. */
export function spotOf(viewer: Viewer, id: number): { x: number; y: number } | null {
  const found = nailOf(id);
  return found && viewer.world ? viewer.project(...handleOf(found, signSize(viewer.world)).at) : null;
}

function onCenter(viewer: Viewer, x: number, y: number, reach: number): boolean {
  const center = editedFrame()?.center;
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

export function turnable(body: number, nail: NailInfo | null = null): Turnable | null {
  const frame = editedFrame();
  if (!frame || !scene.value?.bodies[body]) return null;
  return { body, at: nail?.place ?? toWorld(frame.poses, body, [0, 0, 0]), nail };
}

/** What has rings: a chosen nail that turns, else, with that tool, the selected body or the root. */
export function turnedBody(): Turnable | null {
  const nail = nailOf(chosenNail.value);
  if (nail?.kind === "rotation" && isHere(nail.time, moment.value)) return turnable(findBody(nail.body), nail);
  return mode.value === "turn" ? turnable(selected.value >= 0 ? selected.value : Math.max(0, rootOf(-1))) : null;
}
