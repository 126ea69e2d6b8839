/** Making a pose: the mode follows the studio, and the studio follows the mode. */

import { effect } from "@preact/signals";
import { act, mode, status, type Mode } from ".";

/** Change what a drag does. A pose that was begun is dropped when another mode of directing is chosen. */
export function setMode(next: Mode): void {
  const before = mode.value;
  mode.value = next;
  if (next === "pose" && !status.value?.posing) {
    void act("begin_pose").then((answer) => {
      // Refused: there is nothing to pose.
      if (answer === undefined && !status.value?.posing && mode.value === "pose") mode.value = before === "pose" ? "bone" : before;
    });
  } else if (next !== "pose" && next !== "camera" && status.value?.posing) {
    void act("end_pose", { keep: "none" });
  }
}

export function endPose(keep: "key" | "goal" | "none"): void {
  if (status.value?.posing) void act("end_pose", { keep });
  if (mode.value === "pose") mode.value = "bone";
}

/** Follow what others, or undo, make of it. */
export function watchPosing(): () => void {
  let was = false;
  return effect(() => {
    const posing = status.value?.posing ?? false;
    if (posing === was) return;
    was = posing;
    if (posing) mode.value = "pose";
    else if (mode.peek() === "pose") mode.value = "bone";
  });
}
