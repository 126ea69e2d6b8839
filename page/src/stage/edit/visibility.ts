/** Whether a motion has left the picture by an edit: then the camera looks at all of it again. What a person has zoomed into stays. */

import { edit } from "../../store";
import type { Vec } from "../../geometry/vectors";
import { interpolatePoses, spreadTimes, type Motion } from "../../store/edit/motion";
import { dragging, motion } from "../../store/edit/state";

/** How many moments are looked at, and how near to an edge is still inside, as a share of the picture. */
const [MOMENTS, EDGE] = [12, 0.02];

const within = (at: number): boolean => at > EDGE && at < 1 - EDGE;

/** Where all bodies are. */
function places(open: Motion, time: number): Vec[] {
  const poses = interpolatePoses(open.poses, open, time);
  return Array.from({ length: open.bodies }, (_, body) => [...poses.subarray(7 * body, 7 * body + 3)] as Vec);
}

export class Visibility {
  private known: Motion | null = null;
  private inside = false;

  /** `share` tells where in the picture a place of the world is: 0 to 1 from left to right, and from top to bottom. */
  hasLeft(share: (at: Vec) => [number, number]): boolean {
    const open = motion.peek();
    const changed = open !== this.known;
    // While it is dragged or searched for, the view stays as it is.
    if (changed && this.known && open && (dragging.peek() || edit.peek()?.busy)) return false;
    const inside = open !== null && spreadTimes(MOMENTS, open.duration).every((time) => places(open, time).every((place) => share(place).every(within)));
    const left = changed && open?.epoch === this.known?.epoch && this.inside && !inside;
    [this.known, this.inside] = [open, inside];
    return left;
  }
}
