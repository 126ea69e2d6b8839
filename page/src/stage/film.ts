/** The stage in a size of its own, for a film. */

import { layers, selected, type Layer } from "../store";
import type { Camera } from "../store/viewport";
import type { Viewer } from "./viewer";

/** What a film without overlays shows. */
const BARE: readonly Layer[] = ["surface", "grid"];

export function beginFilm(shown: Viewer, width: number, height: number, overlays: boolean): Camera {
  const before = { layers: layers.value, selected: selected.value };
  if (!overlays) {
    const names = Object.keys(before.layers) as Layer[];
    layers.value = Object.fromEntries(names.map((name) => [name, BARE.includes(name) && before.layers[name]])) as typeof before.layers;
    selected.value = -1;
  }
  shown.renderer.setPixelRatio(1);
  shown.renderer.setSize(width, height, false);
  shown.camera.resize(width, height);
  return {
    take: (copy) =>
      new Promise((resolve, reject) => {
        const drawn = () => {
          shown.drawn.delete(drawn);
          try {
            copy(shown.canvas);
            resolve();
          } catch (error) {
            reject(error as Error);
          }
        };
        shown.drawn.add(drawn);
        shown.invalidate(true);
      }),
    end: () => {
      if (!overlays) {
        layers.value = before.layers;
        selected.value = before.selected;
      }
      shown.resize(shown.canvas.clientWidth, shown.canvas.clientHeight);
      shown.invalidate(true);
    },
  };
}
