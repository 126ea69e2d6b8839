/** How hard each joint works: a ring that fills with the share of what its actuator can give, and turns red when it is full. */

import { toWorld } from "../../geometry/vectors";
import { token } from "../palette";
import { Dots, GAUGE } from "../parts/dots";
import type { World } from "../world";
import type { Layer } from "./layer";

/** Of a ring, wherever the camera is: at rest, and what it grows by until it is full [px]. */
const REST = 24;
const GROWTH = 20;

export function torquesLayer({ scene }: World): Layer {
  const dots = new Dots({ order: 19 });
  /** Of actuators without a bound, the largest effort seen stands for it. */
  let most = 1e-6;
  return {
    object: dots,
    update({ poses, effort }) {
      dots.begin();
      scene.bodies.forEach((body, k) => {
        if (body.nv === 0 || body.loose) return;
        let share = 0;
        let bounded = false;
        for (let i = 0; i < body.nv; i++) {
          const torque = Math.abs(effort[body.v + i] ?? 0);
          const limit = body.effort[i] ?? -1;
          if (limit === 0) continue;
          most = Math.max(most, torque);
          bounded ||= limit > 0;
          share = Math.max(share, torque / (limit > 0 ? limit : most));
        }
        const full = bounded && share > 0.98;
        const color = token(full ? "bad" : share > 0.75 ? "warn" : "good");
        dots.put(toWorld(poses, k, [0, 0, 0]), { size: REST + GROWTH * Math.min(1, share), color, shape: GAUGE, amount: Math.min(1, share) });
      });
      dots.end();
    },
    dispose: () => dots.dispose(),
  };
}
