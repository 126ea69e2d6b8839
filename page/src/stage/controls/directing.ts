/** Hands on the stage: which pointer does what, from the moment it goes down until it lets go. */

import { effect } from "@preact/signals";
import { workspace } from "../../store/workspace";
import { directing, mode, newest, plane, pulled, scene, selected } from "../../store";
import { link } from "../../wire/connection";
import type { Quaternion } from "../../wire/messages";
import type { Viewer } from "../viewer";
import { toWorld, type Vec } from "../../geometry/vectors";
import { hasMoved, StageControls, swallowEvent } from "./base";
import { Anchor, findConstraint, moveDeeper } from "./constraint";
import { forgetGrab, type Grab, grabs, hover, newPointer, releaseGrab, sendGrab, sendMove } from "../../store/grabs";
import { togglePassive } from "../../store/passive";
import { explainBlock, isDragMode, findFacingAxis, findPlaneNormal, isOnCenter, findRoot, findRootPosition, listTurnAxes, describeTarget } from "./target";
import { pickBone, type Pick } from "./pick";
import { pinMenu, togglePin } from "../../store/pins";
import { watchPosing } from "../../store/pose";
import { RingDrag, type Axis } from "./rings";
import { makeDragHint } from "./hints";

/** A pointer that rests this long on a bone holds it there [ms]. */
const REST = 220;

interface Press {
  id: number;
  x: number;
  y: number;
  startX: number;
  startY: number;
  touch: boolean;
  shift: boolean;
  pick: Pick | null;
  /** The ring under it. */
  ring: Axis | null;
  /** Whether a drag would direct; else the camera has it. */
  directs: boolean;
  moved: boolean;
  timer: number;
  held: Grab | null;
  anchor: Anchor | null;
  turning: RingDrag | null;
  dirty: boolean;
}

export class DirectControls extends StageControls {
  private readonly presses = new Map<number, Press>();

  constructor(viewer: Viewer) {
    super(viewer);
    this.forgets.push(
      watchPosing(),
      effect(() => {
        if (link.value !== "open" || !directing.value || scene.value === null || workspace.value === "edit") this.dropAll();
      }),
      effect(() => {
        void [mode.value, directing.value, link.value];
        if (mode.value !== "pin") pinMenu.value = null;
        viewer.invalidate();
      }),
    );
  }

  override dispose(): void {
    this.letGo();
    super.dispose();
  }

  protected get working(): boolean {
    return workspace.peek() === "direct";
  }

  protected get drags(): boolean {
    return grabs.size > 0;
  }

  // --- pointers ---

  protected down(event: PointerEvent): void {
    pinMenu.value = null;
    if (event.button !== 0 || event.altKey) return;
    const press = this.press(event, event.pointerType === "touch");
    this.presses.set(event.pointerId, press);
    if (!press.directs) return;
    // The camera must not hear of it.
    swallowEvent(event);
    this.viewer.canvas.setPointerCapture(event.pointerId);
    hover.aim = press.pick ? { body: press.pick.body, point: press.pick.point } : null;
    press.timer = window.setTimeout(() => {
      press.moved ||= isDragMode(mode.value);
      this.begin(press);
    }, REST);
    this.viewer.invalidate();
  }

  private press(event: PointerEvent, touch: boolean): Press {
    const [x, y] = [event.clientX, event.clientY];
    const found = pickBone(this.viewer, x, y, touch ? 14 : 5);
    const ring = mode.value === "turn" ? this.rings.hit(this.viewer, x, y) : null;
    return {
      id: event.pointerId, x, y, startX: x, startY: y, touch, shift: event.shiftKey, pick: found, ring,
      directs: explainBlock(found, ring !== null || isOnCenter(this.viewer, this.pointer)) === "" && mode.value !== "camera",
      moved: false, timer: 0, held: null, anchor: null, turning: null, dirty: false,
    };
  }

  protected moved(event: PointerEvent): void {
    const press = this.presses.get(event.pointerId);
    if (!press) return;
    [press.x, press.y] = [event.clientX, event.clientY];
    if (!press.moved && !hasMoved(press, press.startX, press.startY)) return;
    press.moved = true;
    if (!press.directs) return;
    event.stopImmediatePropagation();
    this.begin(press);
    this.keep(event);
    press.dirty = true;
  }

  protected up(event: PointerEvent): void {
    const press = this.presses.get(event.pointerId);
    if (!press) return;
    this.presses.delete(event.pointerId);
    clearTimeout(press.timer);
    if (press.held) {
      this.follow(press);
      releaseGrab(press.held.pointer);
    } else if (!press.moved) this.click(press);
    if (press.touch) this.leave();
    this.viewer.invalidate(true);
  }

  protected cancel(id: number): void {
    const press = this.presses.get(id);
    if (!press) return;
    this.presses.delete(id);
    clearTimeout(press.timer);
    if (press.held) releaseGrab(press.held.pointer);
    this.viewer.invalidate(true);
  }

  private click(press: Press): void {
    const body = press.pick?.body ?? -1;
    if (press.ring) return;
    selected.value = body;
    if (!press.pick || !press.directs) return;
    if (mode.value === "pin") void togglePin(body, press.pick.point, press.x, press.y);
    if (mode.value === "passive") void togglePassive(body, press.shift);
  }

  // --- drags ---

  /** A drag begins: the band is there before the studio has heard of it. */
  private begin(press: Press): void {
    if (press.held || !isDragMode(mode.value)) return;
    clearTimeout(press.timer);
    const held = this.hold(press);
    const bone = scene.value?.bodies[held?.body ?? -1]?.name;
    if (!held || bone === undefined) return;
    press.held = held;
    const ray = this.viewer.ray(press.startX, press.startY);
    if (held.kind === "turn") {
      const axes = listTurnAxes(held.body);
      const axis = press.ring ?? findFacingAxis(axes, this.viewer.forward);
      press.turning = new RingDrag(axis, findRootPosition(held.body), held.orientation as Quaternion, ray);
    } else press.anchor = new Anchor(held.target, ray, this.constraint(held.body));
    void sendGrab(held, bone);
    this.viewer.invalidate(true);
  }

  private hold(press: Press): Grab | null {
    const [moment, frame] = [this.viewer.moment, newest.frame];
    if (!moment || !frame) return null;
    const pointer = newPointer();
    if (mode.value === "turn") {
      const root = findRoot(press.pick?.body ?? -1);
      const orientation = [...frame.poses.subarray(7 * root + 3, 7 * root + 7)] as Quaternion;
      return { pointer, kind: "turn", body: root, point: [0, 0, 0], target: [0, 0, 0], orientation, goal: -1 };
    }
    if (!press.pick && mode.value !== "center") return null;
    const { body, point } = press.pick ?? { body: findRoot(-1), point: [0, 0, 0] as Vec };
    const center = mode.value === "center";
    const target = center ? ([...frame.center.subarray(0, 3)] as Vec) : toWorld(moment.poses, body, point);
    return { pointer, kind: center ? "center" : "drag", body, point, target, orientation: null, goal: -1 };
  }

  /** Let the target follow the pointer; true if it has changed. */
  private follow(press: Press): boolean {
    if (!press.held || !press.dirty) return false;
    press.dirty = false;
    if (!grabs.has(press.held.pointer)) return false;
    const ray = this.viewer.ray(press.x, press.y);
    if (press.turning) press.held.orientation = press.turning.move(ray);
    else {
      const target = press.anchor?.move(ray, 30 * (this.viewer.world?.size ?? 1));
      if (!target) return false;
      press.held.target = target;
    }
    sendMove(press.held);
    return true;
  }

  private constraint(body: number) {
    return findConstraint({ plane: plane.value, ...this.keys, flat: findPlaneNormal(body) }, this.viewer.forward);
  }

  protected anchor(): void {
    for (const press of this.presses.values()) {
      if (press.held && press.anchor) {
        press.anchor = new Anchor(press.held.target, this.viewer.ray(press.x, press.y), this.constraint(press.held.body));
      }
    }
    this.viewer.invalidate();
  }

  protected deepen(share: number): boolean {
    // What cannot leave its plane has no depth to move in.
    const held = [...this.presses.values()].flatMap((press) => (press.held && press.anchor && !findPlaneNormal(press.held.body) ? press.held : []));
    for (const one of held) {
      one.target = moveDeeper(one.target, this.viewer.eye, share);
      sendMove(one);
    }
    return held.length > 0;
  }

  protected escape(): boolean {
    if (pinMenu.value) pinMenu.value = null;
    else if (this.drags) this.letGo();
    else return false;
    return true;
  }

  /** Everything that is held is let go. */
  private letGo(): void {
    for (const pointer of grabs.keys()) releaseGrab(pointer);
    this.dropAll();
  }

  private dropAll(): void {
    for (const press of this.presses.values()) clearTimeout(press.timer);
    this.presses.clear();
    for (const pointer of grabs.keys()) forgetGrab(pointer);
    this.viewer.invalidate(true);
  }

  // --- what is meant ---

  protected flush(): void {
    for (const press of this.presses.values()) {
      // What the first finger has begun may bring another scene: the others wait for its first frame.
      if (press.moved && press.directs) this.begin(press);
      this.follow(press);
    }
    if (!this.drags) this.keys.axis = null;
    this.aim();
  }

  private aim(): void {
    const held = [...grabs.values()];
    if (held.length > 0) {
      this.showRings(null);
      hover.aim = null;
      const flat = held.some((one) => findPlaneNormal(one.body) !== null);
      const moving = held.some((one) => one.kind !== "turn");
      this.say(moving ? makeDragHint(plane.value, this.keys, flat, pulled.value) : "Turn the character around. Escape: let go", "grabbing");
      return;
    }
    const at = this.pointer;
    const resting = at !== null && [...this.presses.values()].every((press) => press.directs);
    const found = at && resting ? pickBone(this.viewer, at.x, at.y, at.touch ? 14 : 5) : null;
    const ring = this.showRings(at);
    const handle = ring !== null || isOnCenter(this.viewer, at);
    const reason = explainBlock(found, handle);
    hover.aim = found && reason === "" && mode.value !== "camera" && mode.value !== "turn" && mode.value !== "center" ? found : null;
    const cursor = mode.value === "camera" ? "move" : reason !== "" ? "default" : isDragMode(mode.value) ? "grab" : "pointer";
    this.say(describeTarget(found, handle, this.keys.shift, at?.touch ?? false), cursor);
  }

  /** Rings in the mode that turns; gives the one under the pointer. */
  private showRings(at: { x: number; y: number } | null): Axis | null {
    const root = findRoot(-1);
    const size = this.viewer.world?.size ?? 0;
    if (mode.value !== "turn" || root < 0 || !directing.value || !newest.frame) {
      this.rings.hide();
      return null;
    }
    const lit = at ? this.rings.hit(this.viewer, at.x, at.y) : null;
    const turning = [...this.presses.values()].find((press) => press.turning)?.turning?.axis ?? null;
    this.rings.show(findRootPosition(root), 0.45 * size, listTurnAxes(root), turning ?? lit);
    return lit;
  }
}
