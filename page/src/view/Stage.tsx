/** The stage: a canvas with the viewport on it, and what is written over it. */

import { useEffect, useRef } from "preact/hooks";
import { spotOf } from "../edit/grasp";
import { EditHands } from "../edit/hands";
import { HappeningMenu } from "../edit/HappeningMenu";
import { NailMenu } from "../edit/NailMenu";
import * as editState from "../edit/state";
import { Hands } from "../hands/hands";
import { plain } from "../hands/words";
import { PinPopover } from "../hands/PinPopover";
import * as store from "../store";
import { roundTrip } from "../wire/connection";
import { Hud } from "./Hud";
import { setViewer } from "./current";
import { ForceLabels } from "./forceLabels";
import { Viewer } from "./viewer";
import "./stage.css";

const picture = new URLSearchParams(location.search).has("picture");

export function Stage() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLDivElement>(null);
  useEffect(() => mount(canvas.current as HTMLCanvasElement, labels.current), []);
  return (
    <section class="stage" aria-label="Stage" data-testid="stage">
      <canvas
        ref={canvas}
        class="stage-canvas"
        role="application"
        aria-label="The character on its stage"
        aria-description="Arrow up and down select a bone."
        tabIndex={picture ? -1 : 0}
        onKeyDown={walk}
        // A frame around the stage is for those who came by the keyboard.
        onPointerDown={(event) => event.currentTarget.classList.add("by-hand")}
        onBlur={(event) => event.currentTarget.classList.remove("by-hand")}
      />
      {!picture && <div ref={labels} class="stage-labels" />}
      {!picture && <Hud />}
      {!picture && <PinPopover />}
      {!picture && <NailMenu />}
      {!picture && <HappeningMenu />}
    </section>
  );
}

/** Bones by the keyboard, one after the other. */
function walk(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const bodies = store.scene.value?.bodies ?? [];
  if (!step || bodies.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const from = store.selected.value < 0 && step < 0 ? 0 : store.selected.value;
  store.selected.value = (from + step + bodies.length) % bodies.length;
  store.hint.value = `Selected: ${plain(bodies[store.selected.value]?.name ?? "")}`;
}

function mount(canvas: HTMLCanvasElement, room: HTMLElement | null): () => void {
  const viewer = new Viewer(canvas, picture);
  const hands = picture ? [] : [new Hands(viewer), new EditHands(viewer)];
  const labels = room && new ForceLabels(viewer, room);
  const stage = canvas.parentElement as HTMLElement;
  const fit = () => viewer.resize(stage.clientWidth, stage.clientHeight);
  const observer = new ResizeObserver(fit);
  observer.observe(stage);
  fit();
  setViewer(viewer);
  expose(viewer);
  return () => {
    observer.disconnect();
    for (const hand of hands) hand.dispose();
    labels?.dispose();
    setViewer(null);
    viewer.dispose();
  };
}

/** For tests and tinkerers, in the console of the browser. */
function expose(viewer: Viewer): void {
  const project = (x: number, y: number, z: number) => viewer.project(x, y, z);
  Object.assign(window, { stringless: { ...store, roundTrip, project, viewer, editState, nailSpot: (id: number) => spotOf(viewer, id) } });
}
