/** Commands that say what a drag does: modes, and where its target may go. */

import { endPose, setMode } from "../store/pose";
import { act, doc, plane, pulled, selected, scene, status, type Mode, type Plane } from "../store";
import { togglePassive } from "../store/passive";
import { explainNoSprings, springsOn, toggleSprings } from "../store/springs";
import { undirected, watching } from "./reasons";
import { workspace } from "../store/workspace";
import { registerCommands, registerCommandsIn, type PageCommand } from "./registry";

const MODES: [Mode, string, string, string][] = [
  ["bone", "Drag bones", "KeyB", "Drag any part of the character; it goes there by its own strength."],
  ["center", "Drag the centre of gravity", "KeyC", "Move the balance of the whole character: up to jump, sideways to lean."],
  ["turn", "Turn", "KeyR", "Turn the whole character with rings around its root."],
  ["pose", "Pose", "KeyP", "Pull the bones into a pose without moving the character, and keep it as a key."],
  ["pin", "Pin", "KeyN", "Click a bone to hold it where it is; click again to free it."],
  ["passive", "Limp", "KeyL", "Click a bone to let its joint go limp; Shift-click for the whole character."],
  ["camera", "Camera", "KeyV", "Drag to orbit. With any tool: drag empty space, or use the right button."],
];

const PLANES: [Plane, string, string][] = [
  ["camera", "Facing you", "The target moves in a plane that faces the camera."],
  ["floor", "Level", "The target moves level with the floor. Hold Shift during a drag for the same."],
  ["axis", "Upright", "The target moves straight up and down. Hold Ctrl during a drag for the same."],
];

/** What the same tools do to a motion that is edited. */
const EDITED: Partial<Record<Mode, [title: string, help: string]>> = {
  bone: ["Drag the motion", "Drag any part of the character at this moment: the whole motion changes so that it comes there."],
  center: ["Drag the centre of gravity", "Drag the centre of gravity at this moment; the whole motion follows."],
  turn: ["Turn", "Turn a body at this moment: drag it, or its rings; the whole motion follows."],
  pin: ["Nail", "Click a body to nail it as it is at this moment; click the nail to change or remove it."],
};

/** The same where characters are pulled by springs. */
const PULLED: Partial<Record<Mode, string>> = {
  bone: "Drag any part: here dragging pulls from outside, by a spring, as a haptic pen would. The arrow is the force you pull with, and feel back.",
  center: "Pull the balance of the whole character from outside, by a spring.",
  turn: "Turn the whole character from outside, by a spring, with rings around its root.",
};

/** A character that is fixed to the ground can neither be turned nor carried by its centre of gravity. */
const ROOTED: Partial<Record<Mode, string>> = {
  turn: "Its root is fixed, so it cannot be turned as a whole.",
  center: "Its root is fixed, so its centre of gravity cannot be carried along.",
};

const CARRIED = "Its root has motors of its own, as an arm would have; drag the bone at its root instead.";

function unfit(mode: Mode): string {
  if (workspace.value === "edit") return watching();
  if (mode === "passive" && pulled.value) return UNDRIVEN;
  if (mode !== "bone" && undirected()) return undirected();
  const characters = scene.value?.characters ?? [];
  const rooted = characters.length > 0 && characters.every((character) => !character.root_free);
  const carried = rooted && characters.every(({ root }) => scene.value?.bodies[root]?.loose);
  return watching() || (rooted && ROOTED[mode] ? (carried ? CARRIED : ROOTED[mode]) : "");
}

const UNDRIVEN = "The joints of this scene are unactuated: only their springs act. Press J to switch these off.";

const modes = MODES.map(([value, title, key, help]): PageCommand => ({
  id: `mode.${value}`,
  get title() {
    return (workspace.value === "edit" && EDITED[value]?.[0]) || title;
  },
  group: "Directing",
  keys: [key],
  get help() {
    return (workspace.value === "edit" && EDITED[value]?.[1]) || (pulled.value && PULLED[value]) || help;
  },
  run: () => setMode(value),
  ...(value === "camera" ? {} : { blocked: () => unfit(value) }),
}));

const planes = PLANES.map(([value, title, help]): PageCommand => ({
  id: `plane.${value}`,
  title: `Drag plane: ${title.toLowerCase()}`,
  group: "Directing",
  help,
  run: () => (plane.value = value),
}));

const NEXT: Record<Plane, Plane> = { camera: "floor", floor: "axis", axis: "camera" };
const noPose = () => watching() || (status.value?.posing ? "" : "No pose is being made. Press P to begin one.");
const noGoals = () => watching() || (doc.value?.goals.length ? "" : "Nothing is held.");
const unselected = () => watching() || (pulled.value ? UNDRIVEN : "") || (scene.value?.bodies[selected.value] ? "" : "No bone is selected. Click one.");

/** Modes that make no sense for a motion that is edited. */
const DIRECTED = new Set(["mode.pose", "mode.passive"]);

registerCommands(...modes.filter(({ id }) => !DIRECTED.has(id)), ...planes, {
  id: "plane.next",
  title: "Next drag plane",
  group: "Directing",
  keys: ["KeyX"],
  help: "Facing you, level, upright, and round again. During a drag X, Y and Z choose one axis.",
  run: () => (plane.value = NEXT[plane.value]),
});

registerCommandsIn(
  "direct",
  ...modes.filter(({ id }) => DIRECTED.has(id)),
  {
    id: "pose.key",
    title: "Keep the pose as a key",
    group: "Keyframes",
    keys: ["Enter"],
    help: "The pose becomes a key at the time looked at.",
    run: () => endPose("key"),
    blocked: noPose,
  },
  {
    id: "pose.goal",
    title: "Take up the pose now",
    group: "Directing",
    help: "The pose becomes a goal: the character goes there and stays.",
    run: () => endPose("goal"),
    blocked: noPose,
  },
  {
    id: "pose.drop",
    title: "Discard the pose",
    group: "Directing",
    keys: ["Escape"],
    help: "Forget the pose that is being made.",
    run: () => endPose("none"),
    blocked: noPose,
  },
  {
    id: "directing.release",
    title: "Let go of everything",
    group: "Directing",
    keys: ["Shift+KeyN"],
    help: "Release all goals and pins; the character moves passively.",
    run: () => void act("release_all"),
    blocked: noGoals,
  },
  {
    id: "directing.springs",
    title: "Joint springs on or off",
    group: "Directing",
    keys: ["KeyJ"],
    get help() {
      const now = springsOn() ? "Joints push back to where they rest." : "The joints are limp.";
      return `${now} Switch the springs and dampers of all joints, also while you pull.`;
    },
    run: () => void toggleSprings(),
    blocked: () => watching() || explainNoSprings(),
  },
  {
    id: "directing.limp",
    title: "Selected bone limp or not",
    group: "Directing",
    help: "Let the joint of the selected bone go limp, or work again.",
    run: () => void togglePassive(selected.value, false),
    blocked: unselected,
  },
);

