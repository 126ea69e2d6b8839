/** What a pointer means where it is while a motion is edited: in words, by the cursor, and by the rings of what can be turned. */

import type { Pointer } from "../controls/base";
import type { HeldKeys } from "../controls/constraint";
import type { Aim } from "../../store/grabs";
import type { Axis, Rings } from "../controls/rings";
import { makeDragHint } from "../controls/hints";
import { directing, mode, plane, scene } from "../../store";
import type { Viewer } from "../viewer";
import { link } from "../../wire/connection";
import type { Drag } from "./drag";
import { findHit, isHit, NO_HIT, findTurnedBody } from "./handleHit";
import { makeEditHint, makeMovedHint, makeTurnHint } from "./hints";
import { findSignSize } from "./bounds";
import { nailName } from "../../store/edit/labels";

interface TargetInfo {
  words: string;
  cursor: string;
  /** What a hand would take. */
  aim: Aim | null;
}

export function describeTarget(viewer: Viewer, rings: Rings, at: Pointer | null): TargetInfo {
  const { nail, ring, center, pick } = at ? findHit(viewer, rings, at.x, at.y, at.touch) : NO_HIT;
  const active = directing.value && mode.value !== "camera";
  const words = makeEditHint({
    mode: mode.value,
    directing: directing.value,
    body: scene.value?.bodies[pick?.body ?? -1]?.name ?? null,
    nail: nail && nailName(nail),
    whole: nail?.kind === "pose",
    ring: ring !== null,
    center,
    touch: at?.touch ?? false,
  });
  const clicks = mode.value === "pin" && !nail && !ring;
  const cursor = mode.value === "camera" ? "move" : !active || !isHit({ nail, ring, center, pick }) ? "default" : clicks ? "pointer" : "grab";
  return { words: link.value === "open" ? words : "", cursor, aim: pick && active && mode.value !== "center" ? pick : null };
}

/** While something is dragged. */
export function describeDrag({ flat, turns, what }: Drag, keys: HeldKeys, touch: boolean): string {
  const words = turns ? makeTurnHint(what?.kind === "joint") : makeDragHint(plane.value, keys, flat).replace("Escape: let go", "Escape: as it was");
  return makeMovedHint(words, what === null, touch);
}

export function showRings(viewer: Viewer, rings: Rings, lit: Axis | null): void {
  const turned = directing.value ? findTurnedBody() : null;
  if (turned) rings.show(turned.at, 0.3 * (viewer.world ? findSignSize(viewer.world) : 1), ["x", "y", "z"], lit);
  else rings.hide();
}
