/** The line of a spring, as it is drawn. */

import { add, cross, mix, norm, scale, sub, type Vec } from "./vectors";

/** Corners of the coil, and how much of the length is straight at each end. */
const [COILS, STRAIGHT] = [9, 0.12];

/** From one end to the other, straight at the ends and zigzag between, in the plane that faces the eye. */
export function springLine(from: Vec, to: Vec, forward: Vec, width: number): Vec[] {
  const way = sub(to, from);
  const side = cross(way, forward);
  const size = norm(side);
  if (size < 1e-9) return [from, to];
  const aside = scale(side, (0.5 * width) / size);
  const corners = Array.from({ length: COILS }, (_, k): Vec => {
    const middle = mix(from, to, STRAIGHT + ((1 - 2 * STRAIGHT) * (k + 0.5)) / COILS);
    return add(middle, scale(aside, k % 2 === 0 ? 1 : -1));
  });
  return [from, mix(from, to, STRAIGHT), ...corners, mix(from, to, 1 - STRAIGHT), to];
}
