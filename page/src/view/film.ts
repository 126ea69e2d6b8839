/** The stage in a size of its own, for a film. */

import { layers, selected, type Layer } from "../store";
import { viewer } from "./current";

export interface Camera {
  /** Draw the newest moment and hand over the canvas while the picture stands on it. */
  take: (copy: (canvas: HTMLCanvasElement) => void) => Promise<void>;
  /** Give the stage its size and its layers back. */
  end: () => void;
}

/** What a film without overlays shows. */
const BARE: readonly Layer[] = ["surface", "grid"];

export function beginFilm(width: number, height: number, overlays: boolean): Camera {
  const shown = viewer();
  if (!shown) throw new Error("There is no stage to film.");
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
