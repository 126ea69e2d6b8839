/** What a click or a drag would do, in words. */

import type { Mode, Plane } from "../../store";
import { formatName } from "../../ui/text";
import type { HeldKeys } from "./constraint";

export interface Situation {
  mode: Mode;
  /** Name of the bone under the pointer; null if there is none. */
  bone: string | null;
  /** Whether there is a director for it. */
  directable: boolean;
  /** Whether anybody in the scene can be directed. */
  somebody: boolean;
  /** Whether its character moves freely. */
  free: boolean;
  /** Whether this page directs. */
  directing: boolean;
  connected: boolean;
  /** On the ring that turns, or the handle of the centre of gravity. */
  handle: boolean;
  pinned: boolean;
  limp: boolean;
  /** Whether all joints are meant, and not that of the bone alone. */
  whole: boolean;
  touch: boolean;
  /** Whether a drag pulls from outside, by a spring. */
  pulled: boolean;
  /** Whether joints move by themselves alone, and nobody can be directed. */
  undirectable: boolean;
}

export function makeHint(situation: Situation): string {
  const { mode, bone } = situation;
  if (!situation.connected) return "";
  if (mode === "camera") return "Drag to orbit, Shift-drag to pan, scroll to zoom";
  if (!situation.directing) return bone === null ? `${WATCHING}. ${lookAround(situation.touch)}` : WATCHING;
  if (bone === null && !situation.handle) return nothing(situation);
  if (!situation.directable) return `The ${formatName(bone ?? "")} cannot be directed: it moves passively`;
  return something(situation);
}

const WATCHING = "You are watching; press D to direct";
const lookAround = (touch: boolean): string => (touch ? "Drag empty space with one finger to orbit, with two to pan and zoom" : "Drag empty space to orbit");

function nothing({ mode, touch, pulled, undirectable, somebody }: Situation): string {
  const look = lookAround(touch);
  if (!somebody && !pulled) return `Nothing here has joints of its own to move; press Space to watch it. ${look}`;
  if (undirectable) return `Here joints move by themselves; the Detail panel says how many. ${look}`;
  const what: Record<Mode, string> = {
    bone: pulled ? "Drag any part of it: you pull it by a spring, and see how hard" : "Drag the character to direct it",
    center: "Drag the character to move its centre of gravity",
    turn: "Drag a ring to turn the character",
    pose: "Drag the bones into a pose, then press Enter",
    pin: "Click a bone to pin it",
    passive: "Click a bone to let its joint go limp",
    camera: "",
  };
  return `${what[mode]}. ${look}`;
}

function something(situation: Situation): string {
  const name = formatName(situation.bone ?? "");
  switch (situation.mode) {
    case "bone":
      return situation.pulled ? `Drag to pull the ${name} from outside, by a spring` : `Drag ${name}`;
    case "center":
      return situation.free ? "Drag to move the centre of gravity" : "This character is fixed to the ground: its centre of gravity cannot be dragged";
    case "turn":
      return situation.free ? "Drag to turn the whole character" : "This character is fixed to the ground: it cannot be turned";
    case "pose":
      return `Drag to pose the ${name}. Enter applies the pose, Escape discards it`;
    case "pin":
      return situation.pinned ? `Click to free the ${name}` : `Click to pin the ${name}`;
    case "passive":
      return limpHint(situation, name);
    case "camera":
      return "";
  }
}

function limpHint({ limp, whole }: Situation, name: string): string {
  const what = limp ? "work again" : "go limp";
  return whole ? `Click to let the whole character ${what}` : `Click to let the ${name} ${what}. Shift-click for the whole character`;
}

/** During a drag: how the target moves, and how to change that. */
export function makeDragHint(plane: Plane, { axis, shift, control }: HeldKeys, flat = false, pulled = false): string {
  const now = axis
    ? `along ${axis.toUpperCase()}`
    : shift || (plane === "floor" && !control)
      ? "level with the floor"
      : control || plane === "axis"
        ? "straight up and down"
        : flat
          ? "in its own plane"
          : "facing you";
  const wheel = flat ? "" : " · Wheel: nearer or further";
  const springs = pulled ? " · J: joint springs" : "";
  return `${pulled ? "Pulling" : "Moving"} ${now}. Shift: floor · Ctrl: up and down · X Y Z: one axis${wheel}${springs} · Escape: let go`;
}
