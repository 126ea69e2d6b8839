/** Says from where this page looks, now and then while the camera moves, where joints are spent by what is seen. */

import { Vector3, type PerspectiveCamera } from "three";
import type { Look } from "../wire/messages";

/** Between two looks that are said [ms]. */
export const EVERY = 200;
/** Share of the distance that the eye or what it looks at must move by, or nobody would see the difference. */
const NOTICEABLE = 0.01;

export class ViewReporter {
  private said: Look | null = null;
  private last = -Infinity;
  private waiting: ReturnType<typeof setTimeout> | null = null;
  private readonly forward = new Vector3();

  /** `tell` says it to the studio, and whether that went. */
  constructor(private readonly tell: (look: Look) => boolean, private readonly now: () => number = () => performance.now()) {}

  /** The camera may have moved: say so if it is noticeable and not too soon; else a little later. */
  update(camera: PerspectiveCamera, target: Vector3, height: number): void {
    const look = this.look(camera, target, height);
    if (this.waiting !== null) clearTimeout(this.waiting);
    this.waiting = null;
    if (this.said && !differs(this.said, look)) return;
    const left = this.last + EVERY - this.now();
    if (left <= 0) this.say(look);
    else this.waiting = setTimeout(() => this.say(look), left);
  }

  /** Nobody knows any more from where this page looks. */
  forget(): void {
    if (this.waiting !== null) clearTimeout(this.waiting);
    this.waiting = this.said = null;
  }

  private say(look: Look): void {
    this.waiting = null;
    if (!this.tell(look)) return;
    this.said = look;
    this.last = this.now();
  }

  private look(camera: PerspectiveCamera, target: Vector3, height: number): Look {
    camera.getWorldDirection(this.forward);
    const eye = camera.position;
    const away = Math.max(eye.distanceTo(target), 1e-6);
    const middle = this.forward.multiplyScalar(away).add(eye);
    const up = camera.up;
    return {
      type: "look",
      eye: [eye.x, eye.y, eye.z],
      target: [middle.x, middle.y, middle.z],
      up: Math.abs(up.dot(middle.clone().sub(eye).normalize())) < 0.9999 ? [up.x, up.y, up.z] : [0, 0, -1],
      fov: (camera.fov * Math.PI) / 180,
      height: Math.max(height, 1),
      aspect: camera.aspect,
    };
  }
}

function differs(a: Look, b: Look): boolean {
  const apart = (p: number[], q: number[]) => Math.hypot(...p.map((value, k) => value - (q[k] as number)));
  const far = NOTICEABLE * apart(a.eye, a.target);
  return apart(a.eye, b.eye) > far || apart(a.target, b.target) > far || a.height !== b.height || a.aspect !== b.aspect || a.fov !== b.fov;
}
