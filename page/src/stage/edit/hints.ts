/** What a drag or a click would do to the motion, in words. */

import { formatName } from "../../ui/text";
import type { Mode } from "../../store";

export interface Situation {
  mode: Mode;
  directing: boolean;
  /** Name of the body under the pointer. */
  body: string | null;
  nail: string | null;
  /** Whether that nail is of the whole pose, which no drag could say. */
  whole: boolean;
  ring: boolean;
  center: boolean;
  touch: boolean;
}

export function makeEditHint({ mode, directing, body, nail, whole, ring, center, touch }: Situation): string {
  if (mode === "camera") return "Drag to orbit, Shift-drag to pan, scroll to zoom";
  if (!directing) return "You are watching; press D to direct";
  if (ring) return "Drag to turn it at this moment; the motion follows";
  if (nail && whole) return `${nail}: click it for more, drag its mark below to want it earlier or later`;
  if (nail) return `${nail}: drag it to want something else, click it for more`;
  if (mode === "center" && (center || body)) return "Drag to move the centre of gravity at this moment; the motion follows";
  if (!body) return nothing(mode, touch);
  const name = formatName(body);
  if (mode === "pin") return `Click to nail the ${name} as it is at this moment`;
  if (mode === "turn") return `Drag to turn the ${name} at its joint; the motion follows. Shift: in the world`;
  return `Drag the ${name}: the whole motion follows. ${touch ? "Rest on it" : "Double-click"} to nail it as it is`;
}

function nothing(mode: Mode, touch: boolean): string {
  const look = touch ? "Drag empty space with one finger to orbit, with two to pan and zoom" : "Drag empty space to orbit";
  if (mode === "pin") return `Click a body to nail it at this moment. ${look}`;
  return `Scrub below to a moment, then drag the character there. ${look}`;
}

/** While a hand turns something. */
export const makeTurnHint = (bends: boolean): string => (bends ? "Bending its joint. With Shift from the beginning: turning it in the world · Escape: as it was" : "Turning it. Escape: as it was");

/** While a hand drags: how the target moves, and how it stays there. Who drags with a finger has no keys. */
export function makeMovedHint(way: string, nailed: boolean, touch: boolean): string {
  if (touch) return way.split(". ")[0] as string;
  return nailed ? way : `${way} · N: nail it`;
}
