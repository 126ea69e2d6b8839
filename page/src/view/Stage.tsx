/** The stage: a canvas with the viewport on it, and what is written over it. */

import { useEffect, useRef } from "preact/hooks";
import { Hands } from "../hands/hands";
import { PinPopover } from "../hands/PinPopover";
import * as store from "../store";
import { roundTrip } from "../wire/connection";
import { Hud } from "./Hud";
import { setViewer } from "./current";
import { Viewer } from "./viewer";
import "./stage.css";

const picture = new URLSearchParams(location.search).has("picture");

export function Stage() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => mount(canvas.current as HTMLCanvasElement), []);
  return (
    <section class="stage" aria-label="Stage" data-testid="stage">
      <canvas ref={canvas} class="stage-canvas" role="img" aria-label="The character on its stage" />
      {!picture && <Hud />}
      {!picture && <PinPopover />}
    </section>
  );
}

function mount(canvas: HTMLCanvasElement): () => void {
  const viewer = new Viewer(canvas, picture);
  const hands = picture ? null : new Hands(viewer);
  const room = canvas.parentElement as HTMLElement;
  const fit = () => viewer.resize(room.clientWidth, room.clientHeight);
  const observer = new ResizeObserver(fit);
  observer.observe(room);
  fit();
  setViewer(viewer);
  expose(viewer);
  return () => {
    observer.disconnect();
    hands?.dispose();
    setViewer(null);
    viewer.dispose();
  };
}

/** For tests and tinkerers, in the console of the browser. */
function expose(viewer: Viewer): void {
  const project = (x: number, y: number, z: number) => viewer.project(x, y, z);
  Object.assign(window, { stringless: { ...store, roundTrip, project, viewer } });
}
