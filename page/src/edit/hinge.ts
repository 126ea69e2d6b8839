/** Hinges: what an arcball wishes of a joint that turns about one axis is brought to what it can do. */

import { Quaternion, Vector3 } from "three";
import type { Quaternion as Numbers } from "../wire/messages";
import type { Vec } from "../view/geometry/vectors";
import type { Motion } from "./motion";

/** Less than this is no turn that an axis could be seen in (half the angle) [rad]. */
const LEAST = 0.004;

const turnOf = ({ poses, bodies }: Motion, k: number, body: number): Quaternion => new Quaternion().fromArray(poses, 7 * (bodies * k + body) + 3);

/** The axis of a hinge, along its parent's axes: about it alone the body turns in the motion; null if it does not turn. */
export function hingeAxis(motion: Motion, parent: number, body: number): Vec | null {
  const seen = (k: number) => turnOf(motion, k, parent).invert().multiply(turnOf(motion, k, body));
  const first = seen(0).invert();
  let [best, most]: [Quaternion | null, number] = [null, LEAST];
  for (let k = 1; k < motion.times.length; k++) {
    const turn = seen(k).multiply(first);
    const size = Math.hypot(turn.x, turn.y, turn.z);
    // Half around says no more than a little; what lies between tells the axis best.
    const clear = Math.min(size, Math.abs(turn.w) + 0.5);
    if (clear > most) [best, most] = [turn, clear];
  }
  return best && (new Vector3(best.x, best.y, best.z).normalize().toArray() as Vec);
}

/** From `start` as near to `wanted` as a turn about a world axis comes. */
export function twisted(start: Numbers, wanted: Numbers, axis: Vec): Numbers {
  const from = new Quaternion(...start);
  const turn = new Quaternion(...wanted).multiply(from.clone().invert());
  const angle = 2 * Math.atan2(turn.x * axis[0] + turn.y * axis[1] + turn.z * axis[2], turn.w);
  return new Quaternion().setFromAxisAngle(new Vector3(...axis), angle).multiply(from).normalize().toArray() as Numbers;
}
