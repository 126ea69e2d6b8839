/** Bodies that are told by their parents, put together: a frame tells only those whose joint has moved. */

import type { Frame } from "./frames";

export class Assembler {
  /** Of each body: position and quaternion in the world, 7 numbers. */
  readonly poses: Float32Array;
  private readonly places: Float32Array;
  private readonly parents: Int32Array;
  /** Which poses are not what they were, in the frame that is being put together. */
  private readonly moved: Uint8Array;

  /** `parents` of all bodies, -1 for the world; each comes after its parent. */
  constructor(parents: number[]) {
    this.parents = Int32Array.from(parents);
    this.places = new Float32Array(7 * parents.length);
    this.poses = new Float32Array(7 * parents.length);
    this.moved = new Uint8Array(parents.length);
  }

  /** A frame has come, of which none may be left out: it gets the poses of all bodies, if it has none. */
  take(frame: Frame): Frame {
    if (frame.poses.length > 0) return frame;
    const { placed, places } = frame;
    this.moved.fill(0);
    for (let k = 0; k < placed.length; k++) {
      const body = placed[k] as number;
      for (let c = 0; c < 7; c++) this.places[7 * body + c] = places[7 * k + c] as number;
      this.moved[body] = 1;
    }
    this.assemble();
    return { ...frame, poses: this.poses };
  }

  /** What hangs on a body that has moved has moved too. */
  private assemble(): void {
    const { parents, moved, poses, places } = this;
    for (let body = 0; body < parents.length; body++) {
      const parent = parents[body] as number;
      if (parent < 0) {
        if (moved[body]) for (let c = 0; c < 7; c++) poses[7 * body + c] = places[7 * body + c] as number;
      } else if (moved[body] || moved[parent]) {
        moved[body] = 1;
        compose(poses, 7 * parent, places, 7 * body, poses, 7 * body);
      }
    }
  }
}

/** The pose at `a`, and in it the place at `b`: positions and quaternions. */
function compose(parent: Float32Array, a: number, place: Float32Array, b: number, out: Float32Array, at: number): void {
  const ux = parent[a + 3] as number;
  const uy = parent[a + 4] as number;
  const uz = parent[a + 5] as number;
  const uw = parent[a + 6] as number;
  const rx = place[b] as number;
  const ry = place[b + 1] as number;
  const rz = place[b + 2] as number;
  const x = place[b + 3] as number;
  const y = place[b + 4] as number;
  const z = place[b + 5] as number;
  const w = place[b + 6] as number;
  const tx = 2 * (uy * rz - uz * ry);
  const ty = 2 * (uz * rx - ux * rz);
  const tz = 2 * (ux * ry - uy * rx);
  out[at] = (parent[a] as number) + rx + uw * tx + uy * tz - uz * ty;
  out[at + 1] = (parent[a + 1] as number) + ry + uw * ty + uz * tx - ux * tz;
  out[at + 2] = (parent[a + 2] as number) + rz + uw * tz + ux * ty - uy * tx;
  out[at + 3] = uw * x + ux * w + uy * z - uz * y;
  out[at + 4] = uw * y + uy * w + uz * x - ux * z;
  out[at + 5] = uw * z + uz * w + ux * y - uy * x;
  out[at + 6] = uw * w - ux * x - uy * y - uz * z;
}
