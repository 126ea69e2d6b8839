/** Hands on a motion: which pointer does what while one is edited. What a drag means is in `drag.ts`. */

import { effect } from "@preact/signals";
import { hover } from "../hands/held";
import { Rings } from "../hands/turning";
import { dragHint } from "../hands/words";
import { directing, hint, mode, plane, scene, selected } from "../store";
import type { Viewer } from "../view/viewer";
import type { Vec } from "../view/geometry/vectors";
import { link } from "../wire/connection";
import { chooseNail, closeNail, nail } from "./actions";
import { beginDrag, type Drag, type Held } from "./drag";
import { graspAt, holds, NOTHING, turnedBody, type Grasp } from "./grasp";
import { editHint, movedHint, turnHint } from "./hints";
import { signSize } from "./measure";
import { chosenNail, moment, nailMenu, play } from "./state";
import { nailName } from "./words";
import { editing, entering } from "./workspace";

/** A pointer that moved less than this has clicked [px]; two clicks within this are one double-click [ms]. */
const [CLICK, TWICE] = [3, 350];

interface Press {
  id: number;
  x: number;
  y: number;
  startX: number;
  startY: number;
  touch: boolean;
  shift: boolean;
  grasp: Grasp;
  moved: boolean;
  dirty: boolean;
  drag: Drag | null;
}

export class EditHands {
  private readonly rings = new Rings();
  private readonly forgets: (() => void)[] = [];
  private readonly held: Held = { axis: null, shift: false, control: false };
  private press: Press | null = null;
  private pointer: { x: number; y: number; touch: boolean } | null = null;
  private clicked = { at: -Infinity, body: -1 };
  private said = "";

  constructor(private readonly viewer: Viewer) {
    viewer.stage.add(this.rings);
    this.rings.hide();
    this.listen();
    const key = (event: KeyboardEvent) => editing.peek() && this.key(event);
    addEventListener("keydown", key, { capture: true });
    addEventListener("keyup", key, { capture: true });
    const before = () => this.flush();
    viewer.before.add(before);
    this.forgets.push(
      () => removeEventListener("keydown", key, { capture: true }),
      () => removeEventListener("keyup", key, { capture: true }),
      () => viewer.before.delete(before),
      effect(() => {
        if (link.value !== "open" || !directing.value || !editing.value) this.drop();
      }),
      effect(() => {
        void [mode.value, moment.value, selected.value, chosenNail.value, editing.value];
        viewer.invalidate();
      }),
    );
  }

  dispose(): void {
    this.drop();
    for (const forget of this.forgets) forget();
    this.viewer.stage.remove(this.rings);
    this.rings.dispose();
  }

  private listen(): void {
    const { canvas } = this.viewer;
    const on = <K extends keyof HTMLElementEventMap>(type: K, run: (event: HTMLElementEventMap[K]) => void) => {
      const heard = (event: HTMLElementEventMap[K]) => {
        if (editing.peek()) run(event);
      };
      canvas.addEventListener(type, heard, { capture: true });
      this.forgets.push(() => canvas.removeEventListener(type, heard, { capture: true }));
    };
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.moved(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.cancel(event.pointerId));
    on("lostpointercapture", (event) => this.cancel(event.pointerId));
    on("pointerleave", () => this.leave());
  }

  // --- pointers ---

  private down(event: PointerEvent): void {
    const touch = event.pointerType === "touch";
    this.pointer = { x: event.clientX, y: event.clientY, touch };
    nailMenu.value = null;
    this.viewer.camera.choose(event.shiftKey && event.button !== 1);
    if (event.button !== 0 || event.altKey || this.press) return;
    const [x, y] = [event.clientX, event.clientY];
    const grasp = directing.value && mode.value !== "camera" ? graspAt(this.viewer, this.rings, x, y, touch) : NOTHING;
    this.press = { id: event.pointerId, x, y, startX: x, startY: y, touch, shift: event.shiftKey, grasp, moved: false, dirty: false, drag: null };
    if (!holds(grasp)) return;
    // The camera must not hear of it.
    event.stopImmediatePropagation();
    event.preventDefault();
    this.viewer.canvas.setPointerCapture(event.pointerId);
    this.viewer.invalidate();
  }

  private moved(event: PointerEvent): void {
    this.pointer = { x: event.clientX, y: event.clientY, touch: event.pointerType === "touch" };
    this.viewer.invalidate();
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    [press.x, press.y] = [event.clientX, event.clientY];
    if (!press.moved && Math.hypot(press.x - press.startX, press.y - press.startY) < CLICK) return;
    const first = !press.moved;
    press.moved = true;
    if (!holds(press.grasp)) return;
    event.stopImmediatePropagation();
    if (first) this.begin(press);
    this.keys(event.shiftKey, event.ctrlKey || event.altKey || event.metaKey);
    press.dirty = true;
  }

  private begin(press: Press): void {
    // With the tool that nails, a drag is a click that slipped.
    if (mode.value === "pin" && !press.grasp.nail && !press.grasp.ring) return;
    play(false);
    this.held.shift = press.shift;
    press.drag = beginDrag(this.viewer, press.grasp, press.startX, press.startY, this.held);
  }

  private up(event: PointerEvent): void {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    if (press.drag) {
      follow(press);
      press.drag.hand.release();
    } else if (!press.moved) this.click(press);
    if (press.touch) this.leave();
    this.viewer.invalidate(true);
  }

  private cancel(id: number): void {
    if (this.press?.id === id) this.drop();
  }

  private leave(): void {
    this.pointer = null;
    this.viewer.invalidate();
  }

  private drop(): void {
    this.press?.drag?.hand.release();
    this.press = null;
    this.viewer.invalidate(true);
  }

  /** As if it had never been dragged. */
  private takeBack(drag: Drag): void {
    void drag.hand.cancel();
    this.drop();
  }

  private click({ grasp, x, y }: Press): void {
    if (grasp.nail) {
      chooseNail(grasp.nail);
      nailMenu.value = { x, y };
      return;
    }
    if (grasp.ring) return;
    const body = grasp.pick?.body ?? -1;
    const twice = performance.now() - this.clicked.at < TWICE && body >= 0 && body === this.clicked.body;
    this.clicked = { at: performance.now(), body };
    selected.value = body;
    closeNail();
    if (grasp.pick && (twice || mode.value === "pin")) void this.nailHere(body, grasp.pick.point, x, y);
  }

  private async nailHere(body: number, point: Vec, x: number, y: number): Promise<void> {
    const name = scene.value?.bodies[body]?.name;
    if (name === undefined) return;
    const kind = mode.value === "center" ? "center" : mode.value === "turn" ? "rotation" : "point";
    if ((await nail(kind, name, point)) !== undefined) nailMenu.value = { x, y };
  }

  // --- keys ---

  private key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]")) return;
    const down = event.type === "keydown";
    const drag = this.press?.drag;
    if (down && event.key === "Escape" && (drag || chosenNail.value !== null)) {
      if (drag) this.takeBack(drag);
      else closeNail();
      swallow(event);
    }
    if (!drag) return;
    const letter = event.key.toLowerCase();
    if (down && !event.ctrlKey && !event.metaKey && (letter === "x" || letter === "y" || letter === "z")) {
      this.held.axis = this.held.axis === letter ? null : letter;
      swallow(event);
      this.anchor();
    }
    if (down && letter === "n" && drag.what) {
      const { kind, body, point } = drag.what;
      this.drop();
      swallow(event);
      void nail(kind, body, point, drag.wanted);
    }
    this.keys(event.shiftKey, event.ctrlKey || event.altKey || event.metaKey);
  }

  private keys(shift: boolean, control: boolean): void {
    if (shift === this.held.shift && control === this.held.control) return;
    Object.assign(this.held, { shift, control });
    this.anchor();
  }

  private anchor(): void {
    if (this.press) this.press.drag?.anchor(this.press.x, this.press.y, this.held);
    this.viewer.invalidate();
  }

  // --- what is meant ---

  /** Before each drawing: send what moved, and see what is under the pointer now. */
  private flush(): void {
    if (!editing.peek()) {
      this.rings.hide();
      this.said = "";
      if (entering.peek() && hint.peek() !== "") hint.value = "";
      return;
    }
    if (this.press) follow(this.press);
    else this.held.axis = null;
    this.showRings();
    const drag = this.press?.drag;
    if (drag) this.say(movedHint(drag.turns ? turnHint(drag.what?.kind === "joint") : this.way(drag), drag.what === null), "grabbing");
    else this.aim();
  }

  private way({ flat }: Drag): string {
    const { axis, shift, control } = this.held;
    return dragHint(plane.value, axis, shift, control, flat).replace(" · Wheel: nearer or further", "").replace("Escape: let go", "Escape: as it was");
  }

  private aim(): void {
    const at = this.pointer;
    const resting = at !== null && (!this.press || holds(this.press.grasp));
    const grasp = resting ? graspAt(this.viewer, this.rings, at.x, at.y, at.touch) : NOTHING;
    const active = directing.value && mode.value !== "camera";
    hover.aim = grasp.pick && active && mode.value !== "center" ? grasp.pick : null;
    const words = editHint({
      mode: mode.value,
      directing: directing.value,
      body: scene.value?.bodies[grasp.pick?.body ?? -1]?.name ?? null,
      nail: grasp.nail && nailName(grasp.nail),
      ring: grasp.ring !== null,
      center: grasp.center,
      touch: at?.touch ?? false,
    });
    const clicks = mode.value === "pin" && !grasp.nail && !grasp.ring;
    const cursor = mode.value === "camera" ? "move" : !active || !holds(grasp) ? "default" : clicks ? "pointer" : "grab";
    this.say(link.value === "open" ? words : "", cursor);
  }

  private showRings(): void {
    const turned = directing.value ? turnedBody() : null;
    const at = this.pointer;
    if (!turned) {
      this.rings.hide();
      return;
    }
    const lit = this.press?.grasp.ring ?? (at && !this.press && this.rings.visible ? this.rings.hit(this.viewer, at.x, at.y) : null);
    this.rings.show(turned.at, 0.3 * (this.viewer.world ? signSize(this.viewer.world) : 1), ["x", "y", "z"], lit);
  }

  private say(text: string, cursor: string): void {
    if (text !== this.said) {
      this.said = text;
      hint.value = text;
    }
    const { style } = this.viewer.canvas;
    if (style.cursor !== cursor) style.cursor = cursor;
  }
}

/** Let the wish follow the pointer. */
function follow(press: Press): void {
  if (!press.drag || !press.dirty || press.drag.hand.lost) return;
  press.dirty = false;
  press.drag.follow(press.x, press.y);
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
