/** An arcball: a pointer turns a body as if it rolled a ball around it (Shoemake 1992). */

import { Quaternion, Vector3 } from "three";
import type { Quaternion as Numbers } from "../../wire/messages";
import type { Vec } from "../../geometry/vectors";

export interface Screen {
  /** Where the middle of the ball is in the window, and how large the ball is [px]. */
  x: number;
  y: number;
  radius: number;
  /** Of the camera, in the world. */
  right: Vec;
  up: Vec;
  toward: Vec;
}

/** The point of the ball under a place of the window; outside of it the nearest of its edge. */
export function projectOnBall({ x, y, radius, right, up, toward }: Screen, px: number, py: number): Vector3 {
  let [u, v] = [(px - x) / radius, (y - py) / radius];
  const square = u * u + v * v;
  if (square > 1) [u, v] = [u / Math.sqrt(square), v / Math.sqrt(square)];
  const w = Math.sqrt(Math.max(0, 1 - u * u - v * v));
  return new Vector3(...right).multiplyScalar(u).addScaledVector(new Vector3(...up), v).addScaledVector(new Vector3(...toward), w).normalize();
}

export class Arcball {
  private readonly from: Vector3;

  constructor(private readonly screen: Screen, private readonly start: Numbers, x: number, y: number) {
    this.from = projectOnBall(screen, x, y);
  }

  /** How the body is turned for a pointer there: twice the arc, so that two drags across are a whole turn. */
  move(x: number, y: number): Numbers {
    const arc = new Quaternion().setFromUnitVectors(this.from, projectOnBall(this.screen, x, y));
    return arc.multiply(arc.clone()).multiply(new Quaternion(...this.start)).normalize().toArray() as Numbers;
  }
}
