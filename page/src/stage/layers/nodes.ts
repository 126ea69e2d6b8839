/** Nodes of the flesh: those fixed to a bone black, free ones red, as large as their mass. */

import { isLight, token } from "../palette";
import { Dots } from "../parts/dots";
import type { World } from "../world";
import type { Layer } from "./layer";

export function nodesLayer({ flesh }: World): Layer {
  const dots = new Dots({ order: 11 });
  const heaviest = flesh?.masses.reduce((most, mass) => Math.max(most, mass), 0) || 1;
  const sizes = flesh?.masses.map((mass) => 3.5 + 6 * Math.cbrt(mass / heaviest)) ?? new Float32Array();
  return {
    object: dots,
    update({ nodes }) {
      const [fixed, free] = [isLight() ? token("text") : token("stage-bottom"), token("bad")];
      dots.begin();
      for (let k = 0; k < sizes.length && 3 * k + 2 < nodes.length; k++) {
        dots.put([nodes[3 * k] as number, nodes[3 * k + 1] as number, nodes[3 * k + 2] as number], {
          size: sizes[k] as number,
          color: flesh?.fixed[k] ? fixed : free,
          alpha: 0.95,
        });
      }
      dots.end();
    },
    dispose: () => dots.dispose(),
  };
}
