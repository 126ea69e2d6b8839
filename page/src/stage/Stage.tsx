/** The stage: a canvas with the viewport on it, and what is written over it. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { findNailSpot } from "./edit/handleHit";
import { EditControls } from "./edit/controls";
import * as editState from "../store/edit/state";
import { DirectControls } from "./controls/directing";
import { formatName } from "../ui/text";
import * as store from "../store";
import { roundTrip } from "../wire/connection";
import { setViewport } from "../store/viewport";
import { ForceLabels } from "./forceLabels";
import { Viewer } from "./viewer";
import "./stage.css";

/** Only the stage is shown, for pictures. */
export const picture = new URLSearchParams(location.search).has("picture");

/** `children` lie over it. */
export function Stage({ children }: { children?: ComponentChildren }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLDivElement>(null);
  useEffect(() => mountStage(canvas.current as HTMLCanvasElement, labels.current), []);
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
      {children}
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
  store.hint.value = `Selected: ${formatName(bodies[store.selected.value]?.name ?? "")}`;
}

function mountStage(canvas: HTMLCanvasElement, room: HTMLElement | null): () => void {
  const viewer = new Viewer(canvas, picture);
  const hands = picture ? [] : [new DirectControls(viewer), new EditControls(viewer)];
  const labels = room && new ForceLabels(viewer, room);
  const stage = canvas.parentElement as HTMLElement;
  const fit = () => viewer.resize(stage.clientWidth, stage.clientHeight);
  const observer = new ResizeObserver(fit);
  observer.observe(stage);
  fit();
  setViewport(viewer);
  exposeToConsole(viewer);
  return () => {
    observer.disconnect();
    for (const hand of hands) hand.dispose();
    labels?.dispose();
    setViewport(null);
    viewer.dispose();
  };
}

/** For tests and tinkerers, in the console of the browser. */
function exposeToConsole(viewer: Viewer): void {
  const project = (x: number, y: number, z: number) => viewer.project(x, y, z);
  Object.assign(window, { stringless: { ...store, roundTrip, project, viewer, editState, nailSpot: (id: number) => findNailSpot(viewer, id) } });
}
