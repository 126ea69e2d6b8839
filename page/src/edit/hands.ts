/** Hands on a motion: which pointer does what while one is edited, from the moment it goes down until it lets go. */

import { effect } from "@preact/signals";
import { Anchor, constraintOf, type Wish as Way } from "../hands/constraint";
import { hover } from "../hands/held";
import { facing } from "../hands/meaning";
import { Rings, Turning } from "../hands/turning";
import { dragHint } from "../hands/words";
import { directing, hint, mode, plane, scene, selected } from "../store";
import type { Viewer } from "../view/viewer";
import { toWorld, type Vec } from "../view/geometry/vectors";
import { link } from "../wire/connection";
import type { NailInfo, Quaternion } from "../wire/messages";
import { chooseNail, closeNail, nail } from "./actions";
import { Arcball } from "./arcball";
import { editedFrame } from "./frame";
import { flatNormal, graspAt, NOTHING, turnedBody, type Grasp } from "./grasp";
import { handleOf, targetFor } from "./handles";
import { editHint, movedHint } from "./hints";
import { EditHand, type Wish } from "./sender";
import { chosenNail, dragging, moment, nailMenu, play, pull } from "./state";
import { nailName } from "./words";
import { editing } from "./workspace";

/** A pointer that moved less than this has clicked [px]; two clicks within this are one double-click [ms]. */
const [CLICK, TWICE] = [3, 350];

interface Press {
  id: number;
  x: number;
  y: number;
  startX: number;
  startY: number;
  touch: boolean;
  grasp: Grasp;
  moved: boolean;
  dirty: boolean;
  drag: Drag | null;
}

/** A drag under way: how the pointer becomes a wish. */
interface Drag {
  hand: EditHand;
  /** The body that cannot leave a plane perhaps; -1 for none. */
  body: number;
  /** Where the target is now; null of one that turns. */
  target: Vec | null;
  anchor: Anchor | null;
  turning: { move: (x: number, y: number) => Quaternion } | null;
  /** What the studio is told for a target. */
  meaning: (target: Vec) => Vec;
  what: { kind: string; body: string; point: Vec } | null;
}

export class EditHands {
  private readonly rings = new Rings();
  private readonly forgets: (() => void)[] = [];
  private press: Press | null = null;
  private pointer: { x: number; y: number; touch: boolean } | null = null;
  private axis: "x" | "y" | "z" | null = null;
  private shift = false;
  private control = false;
  private clicked = { at: -Infinity, body: -1 };
  private said = "";

  constructor(private readonly viewer: Viewer) {
    viewer.stage.add(this.rings);
    this.rings.hide();
    const on = <K extends keyof HTMLElementEventMap>(type: K, run: (event: HTMLElementEventMap[K]) => void) => {
      const heard = (event: HTMLElementEventMap[K]) => {
        if (editing.peek()) run(event);
      };
      viewer.canvas.addEventListener(type, heard, { capture: true });
      this.forgets.push(() => viewer.canvas.removeEventListener(type, heard, { capture: true }));
    };
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.moved(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.cancel(event.pointerId));
    on("lostpointercapture", (event) => this.cancel(event.pointerId));
    on("pointerleave", () => (this.pointer = null));
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

  // --- pointers ---

  private down(event: PointerEvent): void {
    const touch = event.pointerType === "touch";
    this.pointer = { x: event.clientX, y: event.clientY, touch };
    nailMenu.value = null;
    this.viewer.camera.choose(event.shiftKey && event.button !== 1);
    if (event.button !== 0 || event.altKey || this.press) return;
    const [x, y] = [event.clientX, event.clientY];
    const grasp = directing.value && mode.value !== "camera" ? graspAt(this.viewer, this.rings, x, y, touch) : NOTHING;
    this.press = { id: event.pointerId, x, y, startX: x, startY: y, touch, grasp, moved: false, dirty: false, drag: null };
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
    press.moved = true;
    if (!holds(press.grasp)) return;
    event.stopImmediatePropagation();
    if (!press.drag) press.drag = this.begin(press);
    this.keys(event.shiftKey, event.ctrlKey || event.altKey || event.metaKey);
    press.dirty = true;
  }

  private up(event: PointerEvent): void {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    if (press.drag) {
      this.follow(press);
      press.drag.hand.release();
    } else if (!press.moved) this.click(press);
    if (press.touch) this.pointer = null;
    this.viewer.invalidate(true);
  }

  private cancel(id: number): void {
    if (this.press?.id !== id) return;
    this.press.drag?.hand.release();
    this.press = null;
    this.viewer.invalidate(true);
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

  // --- drags ---

  private begin(press: Press): Drag | null {
    const frame = editedFrame();
    const bodies = scene.value?.bodies ?? [];
    if (!frame) return null;
    play(false);
    const { nail: wanted, ring, pick } = press.grasp;
    if (wanted) return this.beginNail(press, wanted);
    const time = moment.value;
    if (ring || mode.value === "turn") {
      const turned = ring ? turnedBody() : { body: pick?.body ?? -1, at: pick ? toWorld(frame.poses, pick.body, [0, 0, 0]) : ([0, 0, 0] as Vec), nail: null };
      const name = bodies[turned?.body ?? -1]?.name;
      if (!turned || name === undefined) return null;
      selected.value = turned.body;
      const now = [...frame.poses.subarray(7 * turned.body + 3, 7 * turned.body + 7)] as Quaternion;
      const start = turned.nail ? (turned.nail.target.slice(0, 4) as Quaternion) : now;
      const options = turned.nail ? { nail: turned.nail.id } : { time, what: "turn" };
      const hand = new EditHand(name, [0, 0, 0], { target: null, orientation: start }, options);
      const what = turned.nail ? null : { kind: "rotation", body: name, point: [0, 0, 0] as Vec };
      return { hand, body: -1, target: null, anchor: null, turning: this.turning(press, turned.at, start), meaning: (at) => at, what };
    }
    const center = mode.value === "center";
    const body = pick?.body ?? 0;
    const name = bodies[body]?.name;
    if (name === undefined) return null;
    const point: Vec = center ? [0, 0, 0] : (pick?.point ?? [0, 0, 0]);
    const target = center ? ([...frame.center.subarray(0, 3)] as Vec) : toWorld(frame.poses, body, point);
    if (!center) selected.value = body;
    const hand = new EditHand(name, point, { target, orientation: null }, { time, what: center ? "center" : "point" });
    const from = () => {
      const shown = editedFrame() ?? frame;
      return center ? ([...shown.center.subarray(0, 3)] as Vec) : toWorld(shown.poses, body, point);
    };
    pull.now = { from, to: target };
    return this.moving(press, hand, body, target, (at) => at, { kind: center ? "center" : "point", body: name, point });
  }

  private beginNail(press: Press, wanted: NailInfo): Drag | null {
    const size = this.viewer.world?.size ?? 1;
    chooseNail(wanted);
    const { at, turns } = handleOf(wanted, size);
    // What is turned has rings, which are there now that it is chosen.
    if (turns) return null;
    const wish: Wish = { target: targetFor(wanted, size, at), orientation: null };
    const hand = new EditHand(wanted.body, wanted.point, wish, { nail: wanted.id });
    const body = scene.value?.bodies.findIndex(({ name }) => name === wanted.body) ?? -1;
    return this.moving(press, hand, body, at, (to) => targetFor(wanted, size, to), null);
  }

  private moving(press: Press, hand: EditHand, body: number, target: Vec, meaning: Drag["meaning"], what: Drag["what"]): Drag {
    const anchor = new Anchor(target, this.viewer.ray(press.startX, press.startY), this.constraint(body));
    return { hand, body, target, anchor, turning: null, meaning, what };
  }

  /** On a ring about its axis; on the body itself as a ball that is rolled. */
  private turning(press: Press, at: Vec, start: Quaternion): Drag["turning"] {
    const { viewer } = this;
    const axis = press.grasp.ring;
    if (axis) {
      const ring = new Turning(axis, at, start, viewer.ray(press.startX, press.startY));
      return { move: (x, y) => ring.move(viewer.ray(x, y)) };
    }
    const e = viewer.camera.camera.matrixWorld.elements;
    const column = (k: number): Vec => [e[4 * k] as number, e[4 * k + 1] as number, e[4 * k + 2] as number];
    const { x, y } = viewer.project(...at);
    const radius = Math.max(60, 0.22 * viewer.canvas.clientHeight);
    const ball = new Arcball({ x, y, radius, right: column(0), up: column(1), toward: column(2) }, start, press.startX, press.startY);
    return { move: (px, py) => ball.move(px, py) };
  }

  /** Let the wish follow the pointer. */
  private follow(press: Press): void {
    const drag = press.drag;
    if (!drag || !press.dirty || drag.hand.lost) return;
    press.dirty = false;
    if (drag.turning) {
      drag.hand.move({ target: null, orientation: drag.turning.move(press.x, press.y) });
      return;
    }
    const target = drag.anchor?.move(this.viewer.ray(press.x, press.y), 30 * (this.viewer.world?.size ?? 1));
    if (!target) return;
    drag.target = target;
    if (pull.now) pull.now.to = target;
    drag.hand.move({ target: drag.meaning(target), orientation: null });
  }

  private constraint(body: number) {
    const way: Way = { plane: plane.value, axis: this.axis, shift: this.shift, control: this.control, flat: body >= 0 ? flatNormal(body) : null };
    return constraintOf(way, this.viewer.forward);
  }

  /** Go on from where the target is now, with another constraint. */
  private anchorAnew(): void {
    const [press, drag] = [this.press, this.press?.drag];
    if (press && drag?.target) drag.anchor = new Anchor(drag.target, this.viewer.ray(press.x, press.y), this.constraint(drag.body));
    this.viewer.invalidate();
  }

  private keys(shift: boolean, control: boolean): void {
    if (shift === this.shift && control === this.control) return;
    [this.shift, this.control] = [shift, control];
    this.anchorAnew();
  }

  private drop(): void {
    this.press?.drag?.hand.release();
    this.press = null;
    this.rings.hide();
    this.viewer.invalidate(true);
  }

  // --- keys ---

  private key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]")) return;
    const down = event.type === "keydown";
    const drag = this.press?.drag;
    if (down && event.key === "Escape" && (drag || chosenNail.value !== null)) {
      if (drag) this.drop();
      else closeNail();
      swallow(event);
      return;
    }
    if (!drag) return;
    const letter = event.key.toLowerCase();
    if (down && !event.ctrlKey && !event.metaKey && (letter === "x" || letter === "y" || letter === "z")) {
      this.axis = this.axis === letter ? null : letter;
      swallow(event);
      this.anchorAnew();
    }
    if (down && letter === "n" && drag.what) {
      swallow(event);
      this.nailDragged(drag.what);
    }
    this.keys(event.shiftKey, event.ctrlKey || event.altKey || event.metaKey);
  }

  /** What is dragged stays where it has come. */
  private nailDragged({ kind, body, point }: NonNullable<Drag["what"]>): void {
    this.press?.drag?.hand.release();
    this.press = null;
    void nail(kind, body, point);
  }

  // --- what is meant ---

  /** Before each drawing: send what moved, and see what is under the pointer now. */
  private flush(): void {
    if (!editing.peek()) {
      this.rings.hide();
      this.said = "";
      return;
    }
    if (this.press) this.follow(this.press);
    else this.axis = null;
    const at = this.pointer;
    this.showRings(at);
    if (this.press?.drag) {
      const flat = this.press.drag.body >= 0 && flatNormal(this.press.drag.body) !== null;
      const way = this.press.drag.turning ? "Turning it. Escape: let go" : dragHint(plane.value, this.axis, this.shift, this.control, flat).replace(" · Wheel: nearer or further", "");
      this.say(movedHint(way), "grabbing");
      return;
    }
    const grasp = at && (!this.press || holds(this.press.grasp)) ? graspAt(this.viewer, this.rings, at.x, at.y, at.touch) : NOTHING;
    const body = scene.value?.bodies[grasp.pick?.body ?? -1]?.name ?? null;
    const active = directing.value && mode.value !== "camera";
    hover.aim = grasp.pick && active && mode.value !== "center" ? grasp.pick : null;
    const words = editHint({
      mode: mode.value, directing: directing.value, body, nail: grasp.nail && nailName(grasp.nail), ring: grasp.ring !== null, center: grasp.center, touch: at?.touch ?? false,
    });
    const cursor = mode.value === "camera" ? "move" : !active || !holds(grasp) ? "default" : mode.value === "pin" && !grasp.nail ? "pointer" : "grab";
    this.say(link.value === "open" ? words : "", cursor);
  }

  private showRings(at: { x: number; y: number } | null): void {
    const turned = directing.value ? turnedBody() : null;
    if (!turned) {
      this.rings.hide();
      return;
    }
    const lit = this.press?.grasp.ring ?? (at && !this.press && this.rings.visible ? this.rings.hit(this.viewer, at.x, at.y) : null);
    const size = this.viewer.world?.size ?? 1;
    this.rings.show(turned.at, 0.3 * size, ["x", "y", "z"], lit ?? (this.press?.drag?.turning ? facing(["x", "y", "z"], this.viewer.forward) : null));
  }

  private say(text: string, cursor: string): void {
    if (text !== this.said) {
      this.said = text;
      hint.value = text;
    }
    const { style } = this.viewer.canvas;
    if (style.cursor !== cursor) style.cursor = cursor;
    document.documentElement.toggleAttribute("data-edit-drag", dragging.peek());
  }
}

/** Whether a drag from there is the motion's, and not the camera's. */
const holds = ({ nail: wanted, ring, center, pick }: Grasp): boolean => wanted !== null || ring !== null || center || pick !== null;

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
