/** The frame that is drawn while a motion is edited: the simulation's, with the bodies where the motion has them. */

import { newest, scene } from "../../store";
import type { Frame } from "../../wire/frames";
import { interpolateCenter, interpolatePoses, type Motion } from "../../store/edit/motion";
import { editTime, motion } from "../../store/edit/state";

const NONE = new Float32Array();
let made: { of: Motion; at: number; base: Frame; frame: Frame } | null = null;

/** Null unless a motion of the present scene is open. */
export function findEditedFrame(): Frame | null {
  const [open, base] = [motion.peek(), newest.frame];
  if (!open || !base || open.epoch !== scene.peek()?.epoch || 7 * open.bodies !== base.poses.length) return null;
  const at = editTime.peek();
  if (made?.of === open && made.at === at && made.base === base) return made.frame;
  const center = Float32Array.from([...interpolateCenter(open, at), 0, 0, 0]);
  const frame: Frame = {
    ...base, time: at, live: false, poses: interpolatePoses(open.poses, open, at), center, goals: NONE, contacts: NONE, effort: NONE,
  };
  made = { of: open, at, base, frame };
  return frame;
}
