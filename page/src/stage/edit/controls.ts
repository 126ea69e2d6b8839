/** Hands on a motion: which pointer does what while one is edited. What a drag means is in `drag.ts`. */

import { effect } from "@preact/signals";
import { hasMoved, StageControls, swallowEvent } from "../controls/base";
import { hover } from "../../store/grabs";
import { directing, hint, mode, scene, selected } from "../../store";
import type { Viewer } from "../viewer";
import type { Vec } from "../../geometry/vectors";
import { link } from "../../wire/connection";
import { chooseNail, closeNail, addNail } from "../../store/edit/actions";
import { beginDrag, type Drag } from "./drag";
import { findHit, isHit, NO_HIT, type Hit } from "./handleHit";
import { describeDrag, describeTarget, showRings } from "./target";
import { chosenTransition, chosenNail, editTime, nailMenu, setPlaying, draggedPoseTime } from "../../store/edit/state";
import { editing, entering } from "../../store/workspace";

/** Two taps within this are one double-tap, two fingers within this are the camera's; one that rests so long nails [ms]. */
const [TWICE, TOGETHER, LONG] = [350, 300, 550];

interface Press {
  id: number;
  x: number;
  y: number;
  startX: number;
  startY: number;
  touch: boolean;
  shift: boolean;
  grasp: Hit;
  moved: boolean;
  dirty: boolean;
  drag: Drag | null;
  /** When it began [ms]; not when a busy page came to hear of it. */
  since: number;
  /** Of a finger that rests. */
  timer: number;
}

export class EditControls extends StageControls {
  private press: Press | null = null;
  /** The last click on a body, and whether the one before it was on the same. */
  private clicked: { press: Press; again: boolean } | null = null;
  /** While a finger is handed over to the camera. */
  private giving = false;

  constructor(viewer: Viewer) {
    super(viewer);
    this.forgets.push(
      effect(() => {
        if (link.value !== "open" || !directing.value || !editing.value) this.drop();
      }),
      effect(() => {
        // With no motion open there is nothing to say.
        if (entering.value && !editing.value) hint.value = "";
      }),
      effect(() => {
        void [mode.value, editTime.value, draggedPoseTime.value, selected.value, chosenNail.value, editing.value];
        viewer.invalidate();
      }),
    );
  }

  override dispose(): void {
    this.drop();
    super.dispose();
  }

  protected get working(): boolean {
    return editing.peek();
  }

  protected get drags(): boolean {
    return this.press?.drag != null;
  }

  // --- pointers ---

  protected down(event: PointerEvent): void {
    if (this.giving) return;
    nailMenu.value = chosenTransition.value = null;
    if (this.press) this.second(event, this.press);
    if (event.button !== 0 || event.altKey || this.press) return;
    const [x, y, touch] = [event.clientX, event.clientY, event.pointerType === "touch"];
    const grasp = directing.value && mode.value !== "camera" ? findHit(this.viewer, this.rings, x, y, touch) : NO_HIT;
    const press: Press = { id: event.pointerId, x, y, startX: x, startY: y, touch, shift: event.shiftKey, grasp, moved: false, dirty: false, drag: null, since: event.timeStamp, timer: 0 };
    this.press = press;
    if (!isHit(grasp)) return;
    if (touch && grasp.pick) press.timer = window.setTimeout(() => this.rested(press), LONG);
    // The camera must not hear of it.
    swallowEvent(event);
    this.viewer.canvas.setPointerCapture(event.pointerId);
    this.viewer.invalidate();
  }

  /** A second finger soon after the first: both are the camera's. Later it means nothing. */
  private second(event: PointerEvent, press: Press): void {
    if (!press.touch || event.pointerType !== "touch" || !isHit(press.grasp)) return;
    if (press.drag && event.timeStamp - press.since > TOGETHER) {
      swallowEvent(event);
      return;
    }
    if (press.drag) void press.drag.hand.cancel();
    this.drop();
    this.giving = true;
    this.viewer.canvas.dispatchEvent(new PointerEvent("pointerdown", { pointerId: press.id, pointerType: "touch", clientX: press.x, clientY: press.y, buttons: 1, bubbles: true }));
    this.giving = false;
    // What follows of both fingers is not heard here.
    this.press = { ...press, grasp: NO_HIT, moved: true, drag: null };
  }

  protected moved(event: PointerEvent): void {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    [press.x, press.y] = [event.clientX, event.clientY];
    if (!press.moved && !hasMoved(press, press.startX, press.startY)) return;
    const first = !press.moved;
    press.moved = true;
    if (!isHit(press.grasp)) return;
    event.stopImmediatePropagation();
    if (first) this.begin(press);
    this.keep(event);
    press.dirty = true;
  }

  private begin(press: Press): void {
    clearTimeout(press.timer);
    // With the tool that nails, a drag is a click that slipped.
    if (mode.value === "pin" && !press.grasp.nail && !press.grasp.ring) return;
    setPlaying(false);
    this.keys.shift = press.shift;
    press.drag = beginDrag(this.viewer, press.grasp, press.startX, press.startY, this.keys);
  }

  protected up(event: PointerEvent): void {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    clearTimeout(press.timer);
    if (press.drag) {
      follow(press);
      press.drag.hand.release();
    } else if (!press.moved) this.click(press);
    if (press.touch) this.leave();
    this.viewer.invalidate(true);
  }

  protected cancel(id: number): void {
    if (this.press?.id === id) this.drop();
  }

  private drop(): void {
    clearTimeout(this.press?.timer);
    this.press?.drag?.hand.release();
    this.press = null;
    this.viewer.invalidate(true);
  }

  private click(press: Press): void {
    const { grasp, x, y, touch, since } = press;
    const before = this.clicked?.press;
    this.clicked = null;
    if (grasp.nail) {
      chooseNail(grasp.nail);
      nailMenu.value = { x, y };
      return;
    }
    if (grasp.ring) return;
    const body = grasp.pick?.body ?? -1;
    const again = body >= 0 && before?.grasp.pick?.body === body;
    this.clicked = { press, again };
    selected.value = body;
    closeNail();
    // Not every browser tells of a double-tap.
    const tapped = touch && again && since - before.since < TWICE;
    if (grasp.pick && (tapped || mode.value === "pin")) void this.nailHere(body, grasp.pick.point, x, y);
  }

  /** A double-click nails: what is one is the browser's to say, which knows how quick this person is. */
  protected override twice(): void {
    const { press, again } = this.clicked ?? {};
    const pick = press?.grasp.pick;
    if (!pick || !again || press.touch || mode.value === "pin") return;
    void this.nailHere(pick.body, pick.point, press.x, press.y);
  }

  /** A finger that has rested on a body nails it, as a double click does. */
  private rested(press: Press): void {
    const { grasp, x, y } = press;
    // On a busy page moves may be waiting that say otherwise: they are heard before the next frame.
    requestAnimationFrame(() => {
      if (!grasp.pick || this.press !== press || press.moved) return;
      this.drop();
      selected.value = grasp.pick.body;
      void this.nailHere(grasp.pick.body, grasp.pick.point, x, y);
    });
  }

  private async nailHere(body: number, point: Vec, x: number, y: number): Promise<void> {
    const name = scene.value?.bodies[body]?.name;
    if (name === undefined) return;
    const kind = mode.value === "center" ? "center" : mode.value === "turn" ? "rotation" : "point";
    if ((await addNail(kind, name, point)) !== undefined) nailMenu.value = { x, y };
  }

  // --- keys ---

  /** A drag is taken back, as if it had never been. */
  protected escape(): boolean {
    const drag = this.press?.drag;
    if (!drag && chosenNail.value === null && chosenTransition.value === null) return false;
    if (drag) {
      void drag.hand.cancel();
      this.drop();
    } else if (chosenTransition.value !== null) chosenTransition.value = null;
    else closeNail();
    return true;
  }

  protected override letter(letter: string): boolean {
    const drag = this.press?.drag;
    if (letter !== "n" || !drag?.what) return super.letter(letter);
    const { kind, body, point } = drag.what;
    this.drop();
    void addNail(kind, body, point, drag.wanted);
    return true;
  }

  protected anchor(): void {
    if (this.press) this.press.drag?.anchor(this.press.x, this.press.y, this.keys);
    this.viewer.invalidate();
  }

  protected deepen(share: number): boolean {
    return this.press?.drag?.deepen(share) ?? false;
  }

  // --- what is meant ---

  protected flush(): void {
    if (this.press) follow(this.press);
    else this.keys.axis = null;
    this.showRings();
    if (this.press?.drag) this.say(describeDrag(this.press.drag, this.keys, this.press.touch), "grabbing");
    else this.aim();
  }

  private aim(): void {
    const meaning = describeTarget(this.viewer, this.rings, !this.press || isHit(this.press.grasp) ? this.pointer : null);
    hover.aim = meaning.aim;
    this.say(meaning.words, meaning.cursor);
  }

  private showRings(): void {
    const lit = this.press?.grasp.ring ?? (this.pointer && !this.press && this.rings.visible ? this.rings.hit(this.viewer, this.pointer.x, this.pointer.y) : null);
    showRings(this.viewer, this.rings, lit);
  }
}

/** Let the wish follow the pointer. */
function follow(press: Press): void {
  if (!press.drag || !press.dirty || press.drag.hand.lost) return;
  press.dirty = false;
  press.drag.follow(press.x, press.y);
}
