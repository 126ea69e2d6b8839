/** Commands that stretch what was commanded in time. */

import { status } from "../store";
import { applyWarp, warpFactor } from "../store/timeline/warp";
import { unrecorded, watching } from "./reasons";
import { registerCommandsIn } from "./registry";

const moving = () => (status.value?.mode === "live" ? "The record still grows. Pause first." : "");
const unstretched = () => {
  if (warpFactor.value === null) return "Nothing is being stretched.";
  return warpFactor.value === 1 ? "Drag the edge, or type a factor, first: at 1× everything stays as it is." : "";
};

registerCommandsIn(
  "direct",
  {
    id: "time.warp",
    title: "Stretch commands",
    group: "Time",
    keys: ["KeyW"],
    help: "Make the recorded commands of the range, or of the whole branch, slower or faster. The result is a new branch.",
    run: () => (warpFactor.value = warpFactor.value === null ? 1 : null),
    blocked: () => watching() || unrecorded() || moving(),
  },
  {
    id: "time.warpApply",
    title: "Simulate the stretched commands",
    group: "Time",
    help: "Simulate what follows from the commands at their new times. The old branch is kept.",
    run: () => void applyWarp(),
    blocked: () => watching() || moving() || unstretched(),
  },
);
