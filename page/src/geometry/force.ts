/** How a force is drawn and said. */

import { norm, scale, type Vec } from "./vectors";

/** Below this share of the weight a force is not worth an arrow. */
const LEAST = 0.002;

/**
 * The arrow of a force: longer for more, and never as long as `longest`. That of half the weight of everything is half as
 * long; null if there is hardly any force.
 */
export function forceArrow(force: Vec, weight: number, longest: number): Vec | null {
  const newtons = norm(force);
  if (!(newtons > LEAST * weight)) return null;
  return scale(force, longest / (newtons + 0.5 * weight));
}

/** "3.2 N", "57 N", "1.2 kN". */
export function formatForce(value: number): string {
  if (value >= 999.5) return `${(value / 1000).toFixed(value < 9950 ? 1 : 0)} kN`;
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} N`;
}
