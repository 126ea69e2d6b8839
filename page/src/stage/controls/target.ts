/** What a pointer means where it is: which character, whether it can be directed, and in which directions. */

import { directable, directing, mode, newest, pulled, scene, selected, type Mode } from "../../store";
import { link } from "../../wire/connection";
import { rotate, toWorld, type Vec } from "../../geometry/vectors";
import type { Viewer } from "../viewer";
import { arePassive, findTargetJoints } from "../../store/passive";
import type { Pick } from "./pick";
import { findPin } from "../../store/pins";
import type { Axis } from "./rings";
import { makeHint } from "./hints";

/** How near to the handle of the centre of gravity the pointer must be [px]. */
const NEAR = 16;

/** Modes in which a drag moves something. */
export const isDragMode = (now: Mode): boolean => now === "bone" || now === "center" || now === "turn" || now === "pose";

/** Why nothing can be directed there; empty if it can. `handle`: on a ring or on the centre of gravity. */
export function explainBlock(found: Pick | null, handle: boolean): string {
  if (link.value !== "open" || !directing.value) return "watching";
  const body = scene.value?.bodies[found?.body ?? -1];
  if (!directable.value) return "no director";
  if (handle) return "";
  if (!body) return "nothing";
  const character = scene.value?.characters[body.character];
  if (!character) return "no director";
  return (mode.value === "center" || mode.value === "turn") && !character.root_free ? "fixed" : "";
}

/** What a click or a drag would do there, in words. */
export function describeTarget(found: Pick | null, handle: boolean, shift: boolean, touch: boolean): string {
  if (scene.value === null) return "";
  const body = scene.value.bodies[found?.body ?? -1];
  const character = scene.value.characters[body?.character ?? -1];
  const meant = findTargetJoints(found?.body ?? -1, shift);
  return makeHint({
    mode: mode.value,
    bone: body?.name ?? null,
    directable: directable.value && (handle || character !== undefined),
    somebody: !directable.value || (scene.value?.characters.length ?? 0) > 0,
    free: handle || (character?.root_free ?? false),
    directing: directing.value,
    connected: link.value === "open",
    handle,
    pinned: body !== undefined && findPin(body.name) !== undefined,
    limp: arePassive(meant.joints),
    whole: meant.whole,
    touch,
    pulled: pulled.value,
    undirectable: !directable.value,
  });
}

/** Whether a place of the window is on the handle of the centre of gravity. */
export function isOnCenter(viewer: Viewer, at: { x: number; y: number } | null): boolean {
  const frame = newest.frame;
  if (mode.value !== "center" || !at || !frame) return false;
  if (!scene.value?.characters.some((character) => character.root_free)) return false;
  const place = viewer.project(frame.center[0] as number, frame.center[1] as number, frame.center[2] as number);
  return Math.hypot(place.x - at.x, place.y - at.y) < NEAR;
}

/** The root of the character of a body; without one, of the selected or the first that is free. -1 if none is. */
export function findRoot(body: number): number {
  const stage = scene.value;
  const known = stage?.bodies[body >= 0 ? body : selected.value]?.character ?? -1;
  const chosen = stage?.characters[known];
  const free = stage?.characters.find((character) => character.root_free);
  return (chosen?.root_free ? chosen : free)?.root ?? -1;
}

export function findRootPosition(root: number): Vec {
  return newest.frame ? toWorld(newest.frame.poses, root, [0, 0, 0]) : [0, 0, 0];
}

/** One that only moves in a plane turns about one axis. */
export function listTurnAxes(root: number): Axis[] {
  return scene.value?.bodies[root]?.kind === "planar" ? ["z"] : ["x", "y", "z"];
}

/** Normal of the plane in which the character of a body moves: the z axis of its root, which never turns. */
export function findPlaneNormal(body: number): Vec | null {
  const root = scene.value?.characters[scene.value.bodies[body]?.character ?? -1]?.root ?? -1;
  if (scene.value?.bodies[root]?.kind !== "planar" || !newest.frame) return null;
  return rotate(newest.frame.poses, 7 * root + 3, [0, 0, 1]);
}

/** The axis that points most toward the eye. */
export function findFacingAxis(axes: Axis[], forward: Vec): Axis {
  const depth = { x: Math.abs(forward[0]), y: Math.abs(forward[1]), z: Math.abs(forward[2]) };
  return axes.reduce((best, axis) => (depth[axis] > depth[best] ? axis : best));
}
