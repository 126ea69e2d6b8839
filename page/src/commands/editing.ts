/** Commands of the Edit workspace: going there, time of the motion, nails, what happens on the way. */

import { enterEdit, keepMotion, keepingMotion, leaveEdit, findTarget, addNailToTarget, solveMotion, removeNail } from "../store/edit/actions";
import { addBounce, addGrip, addRelease, explainMisplaced } from "../store/edit/transitions";
import { chosenNail, dragging, duration, originalShown, looping, seekEdit, editTime, findNeighbour, paths, listStops, setPlaying, playing, speed, STEP, ghostsShown, type Paths } from "../store/edit/state";
import { KINDS } from "../store/edit/labels";
import { editing, workspace } from "../store/workspace";
import { act, edit, scene } from "../store";
import { stepSpeed } from "../store/timeline/speeds";
import { unlinked, watching } from "./reasons";
import { registerCommands, registerCommandsIn, type PageCommand } from "./registry";

const held = () => (dragging.value ? "You hold the motion. Let go of it first." : "");
const closed = () => unlinked() || (editing.value ? "" : "No motion is open yet. Say what to edit first.");
const shut = () => watching() || closed();
const unmeant = () => shut() || (findTarget() ? "" : "Point at a body first, or select one.");
const unnailed = () => shut() || (edit.value?.nails.length ? "" : "Nothing is nailed yet: there is nothing to look for.");
const NEXT: Record<Paths, Paths> = { none: "one", one: "all", all: "none" };

function jump(direction: 1 | -1): void {
  const next = findNeighbour(listStops(), editTime.value, direction);
  if (next !== undefined) seekEdit(next);
}

const ungripped = () => unmeant() || explainMisplaced("grip", editTime.value);

const nails = KINDS.map(({ name: kind, label, help }): PageCommand => ({
  id: `edit.nail.${kind}`,
  title: `Nail: ${label.toLowerCase()}`,
  group: "Editing",
  help: `${help} Of the body you point at or have selected.`,
  run: () => void addNailToTarget(kind),
  blocked: kind === "center" ? shut : unmeant,
}));

registerCommands({
  id: "edit.enter",
  title: "Edit the motion",
  group: "Editing",
  keys: ["KeyE"],
  help: "Go to the Edit workspace, where you drag a whole motion instead of a moment; again to go back to directing.",
  run: () => (workspace.value === "edit" ? void leaveEdit() : enterEdit()),
  blocked: () => watching() || held() || (scene.value ? "" : "There is no scene yet."),
});

registerCommandsIn(
  "edit",
  ...nails,
  {
    id: "edit.keep",
    title: "Done: keep the motion",
    group: "Editing",
    keys: ["$mod+Enter"],
    help: "The edited motion becomes a lane of the take, to direct from any moment of it.",
    run: () => void keepMotion(),
    blocked: () => shut() || held() || (keepingMotion.value ? "It is being kept." : ""),
  },
  {
    id: "edit.leave",
    title: "Close the edit",
    group: "Editing",
    help: "Back to directing without keeping the motion. Undo brings the edit back.",
    run: () => void leaveEdit(),
    blocked: () => watching() || held(),
  },
  {
    id: "edit.play",
    title: "Play / pause",
    group: "Editing",
    keys: ["Space"],
    help: "Play the motion as it is now. Nothing is simulated: it is all there.",
    run: () => setPlaying(!playing.value),
    blocked: closed,
  },
  {
    id: "edit.loop",
    title: "Loop",
    group: "Editing",
    keys: ["Shift+KeyL"],
    help: "Start again from the beginning when playback reaches the end.",
    run: () => (looping.value = !looping.value),
  },
  {
    id: "edit.start",
    title: "To the start of the motion",
    group: "Editing",
    keys: ["Home"],
    help: "Look at the first moment.",
    run: () => seekEdit(0),
    blocked: closed,
  },
  {
    id: "edit.end",
    title: "To the end of the motion",
    group: "Editing",
    keys: ["End"],
    help: "Look at the last moment.",
    run: () => seekEdit(duration.value),
    blocked: closed,
  },
  {
    id: "edit.back",
    title: "Previous frame",
    group: "Editing",
    keys: ["ArrowLeft", "Comma"],
    help: "Go back by 1/60 s.",
    run: () => seekEdit(editTime.value - STEP),
    blocked: closed,
  },
  {
    id: "edit.forward",
    title: "Next frame",
    group: "Editing",
    keys: ["ArrowRight", "Period"],
    help: "Go on by 1/60 s.",
    run: () => seekEdit(editTime.value + STEP),
    blocked: closed,
  },
  {
    id: "edit.back10",
    title: "Ten moments back",
    group: "Editing",
    keys: ["Shift+ArrowLeft"],
    help: "A sixth of a second back.",
    run: () => seekEdit(editTime.value - 10 * STEP),
    blocked: closed,
  },
  {
    id: "edit.forward10",
    title: "Ten moments on",
    group: "Editing",
    keys: ["Shift+ArrowRight"],
    help: "A sixth of a second on.",
    run: () => seekEdit(editTime.value + 10 * STEP),
    blocked: closed,
  },
  {
    id: "edit.previous",
    title: "To what comes before",
    group: "Editing",
    keys: ["BracketLeft"],
    help: "Go to the nail, grip, release or bounce before this moment.",
    run: () => jump(-1),
    blocked: closed,
  },
  {
    id: "edit.next",
    title: "To what comes next",
    group: "Editing",
    keys: ["BracketRight"],
    help: "Go to the nail, grip, release or bounce after this moment.",
    run: () => jump(1),
    blocked: closed,
  },
  {
    id: "edit.slower",
    title: "Play slower",
    group: "Editing",
    keys: ["Minus"],
    help: "Play the motion more slowly.",
    run: () => (speed.value = Math.max(1 / 8, stepSpeed(speed.value, -1))),
  },
  {
    id: "edit.faster",
    title: "Play faster",
    group: "Editing",
    keys: ["Equal"],
    help: "Play the motion faster.",
    run: () => (speed.value = speed.value >= 1 ? 1 : stepSpeed(speed.value, 1)),
  },
  {
    id: "edit.unnail",
    title: "Take the nail out",
    group: "Editing",
    keys: ["Delete", "Backspace"],
    help: "Remove the nail that is chosen.",
    run: () => void removeNail(chosenNail.value as number),
    blocked: () => shut() || (chosenNail.value === null ? "No nail is chosen." : ""),
  },
  {
    id: "edit.solve",
    title: "Solve",
    group: "Editing",
    keys: ["Enter"],
    help: "Change the motion as little as possible until all nails are met.",
    run: () => void solveMotion(),
    blocked: unnailed,
  },
  {
    id: "edit.solveNails",
    title: "Nails only",
    group: "Editing",
    keys: ["Shift+Enter"],
    help: "Meet the nails again, whatever was dragged elsewhere.",
    run: () => void solveMotion({ nails_only: true }),
    blocked: unnailed,
  },
  {
    id: "edit.nearest",
    title: "Closest solution",
    group: "Editing",
    help: "If constraints conflict, meet all nails as closely as possible. Nails of more strength are met better.",
    run: () => void solveMotion({ nearest: true }),
    blocked: unnailed,
  },
  {
    id: "edit.stop",
    title: "Stop solving",
    group: "Editing",
    help: "End the search for a better motion; what was found so far stays.",
    run: () => void act("edit_stop"),
    blocked: () => shut() || (edit.value?.busy ? "" : "Nothing is being solved."),
  },
  {
    id: "edit.grip",
    title: "Grip here",
    group: "Editing",
    keys: ["KeyG"],
    help: "From this moment on, the point you mean is held where it is, and the rest swings about it.",
    run: () => void addGrip(),
    blocked: ungripped,
  },
  {
    id: "edit.gripHinge",
    title: "Grip here by a hinge",
    group: "Editing",
    help: "As a grip, but it can only swing about one axis: that of the bar it holds, else the line you look along.",
    run: () => void addGrip("hinge"),
    blocked: ungripped,
  },
  {
    id: "edit.letGo",
    title: "Let go here",
    group: "Editing",
    keys: ["KeyL"],
    help: "From this moment on, it flies freely.",
    run: () => void addRelease(),
    blocked: () => shut() || explainMisplaced("release", editTime.value),
  },
  {
    id: "edit.bounce",
    title: "Bounce here",
    group: "Editing",
    keys: ["KeyH"],
    help: "At this moment, the point you mean bounces off.",
    run: () => void addBounce(),
    blocked: unmeant,
  },
  {
    id: "edit.strobes",
    title: "Strobes",
    group: "Editing",
    keys: ["KeyS"],
    help: "Show the character at even times of the motion, earlier ones blue, later ones green.",
    run: () => (ghostsShown.value = !ghostsShown.value),
  },
  {
    id: "edit.paths",
    title: "Paths",
    group: "Editing",
    keys: ["KeyP"],
    help: "Draw the way of the body you point at, of all bodies, or none.",
    run: () => (paths.value = NEXT[paths.value]),
  },
  {
    id: "edit.ghost",
    title: "Motion before the edit",
    group: "Editing",
    keys: ["KeyO"],
    help: "Show the motion as it was, as a grey ghost.",
    run: () => (originalShown.value = !originalShown.value),
  },
);
