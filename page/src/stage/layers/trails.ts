/** Trails: the way of the selected bone and of the centre of gravity, before and after the moment that is looked at. */

import { Group } from "three";
import { ask } from "../../wire/connection";
import { scene, selected, status } from "../../store";
import type { Frame } from "../../wire/frames";
import type { Vec } from "../../geometry/vectors";
import { token } from "../palette";
import { Strokes } from "../parts/strokes";
import type { Layer } from "./layer";

/** How far to both sides [s], how many points, and how long until the studio is asked again [ms]. */
const SPAN = 1.5;
const COUNT = 160;
const PATIENCE = 350;

export function trailsLayer(redraw: () => void): Layer {
  const strokes = new Strokes({ width: 2.5, opacity: 0.85, order: 6 });
  const object = new Group();
  object.add(strokes);
  let asked = -Infinity;
  let seen = "";
  let waiting = false;

  async function fetch(frame: Frame): Promise<void> {
    const now = status.value;
    const name = scene.value?.bodies[selected.value]?.name;
    if (!now) return;
    const [start, end] = [Math.max(now.begin, frame.time - SPAN), Math.min(now.end, frame.time + SPAN)];
    const bones = name === undefined ? [""] : ["", name];
    waiting = true;
    try {
      const paths = await Promise.all(bones.map((bone) => trail(bone, start, end)));
      const share = end > start ? (frame.time - start) / (end - start) : 1;
      strokes.begin();
      for (const path of paths) {
        const cut = Math.round(share * (path.length - 1));
        strokes.path(path.slice(0, cut + 1), token("before"));
        strokes.path(path.slice(cut), token("ahead"));
      }
      strokes.end();
      redraw();
    } catch {
      // A refusal here is not worth a word: the trail stays as it was.
    } finally {
      waiting = false;
    }
  }

  return {
    object,
    update(frame) {
      const now = performance.now();
      const about = `${selected.value} ${frame.time.toFixed(3)} ${status.value?.lane} ${status.value?.end.toFixed(2)}`;
      if (waiting || about === seen || now - asked < PATIENCE) return;
      [asked, seen] = [now, about];
      void fetch(frame);
    },
    dispose: () => strokes.dispose(),
  };
}

const trail = (bone: string, start: number, end: number): Promise<Vec[]> =>
  ask<Vec[]>({ type: "do", command: "trail", arguments: { bone, start, end, count: COUNT } });
