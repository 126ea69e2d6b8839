/** What all hands on the stage have in common: they hear pointers, the wheel and keys while they are at work, and say what they would do. */

import { hint } from "../../store";
import type { Viewer } from "../viewer";
import type { HeldKeys } from "./constraint";
import { Rings } from "./rings";

/** A pointer that moved less than this has clicked; fingers tremble [px]. */
const [CLICK, TAP] = [3, 8];

export interface Pointer {
  x: number;
  y: number;
  touch: boolean;
}

/** Whether a pointer has left the place where it went down. */
export const hasMoved = ({ x, y, touch }: Pointer, startX: number, startY: number): boolean => Math.hypot(x - startX, y - startY) >= (touch ? TAP : CLICK);

export abstract class StageControls {
  protected readonly rings = new Rings();
  protected readonly keys: HeldKeys = { axis: null, shift: false, control: false };
  protected readonly forgets: (() => void)[] = [];
  /** Where the pointer is. */
  protected pointer: Pointer | null = null;
  private said = "";

  constructor(protected readonly viewer: Viewer) {
    viewer.stage.add(this.rings);
    this.rings.hide();
    this.listen();
  }

  /** Whether these hands are the ones at work. */
  protected abstract get working(): boolean;
  /** Whether something is held. */
  protected abstract get drags(): boolean;
  protected abstract down(event: PointerEvent): void;
  protected abstract moved(event: PointerEvent): void;
  protected abstract up(event: PointerEvent): void;
  protected abstract cancel(id: number): void;
  /** The Escape key: whether there was something to leave. */
  protected abstract escape(): boolean;
  /** Go on from where the targets are now, with other keys held. */
  protected abstract anchor(): void;
  /** Move what is held away from the eye, by a share of its distance; false if nothing that is held can. */
  protected abstract deepen(share: number): boolean;
  /** Before each drawing: send what moved, and see what is under the pointer now. */
  protected abstract flush(): void;

  dispose(): void {
    for (const forget of this.forgets) forget();
    this.viewer.stage.remove(this.rings);
    this.rings.dispose();
  }

  private listen(): void {
    const { canvas, before } = this.viewer;
    this.on(canvas, "pointerdown", (event) => {
      this.note(event);
      this.viewer.camera.choose(event.shiftKey && event.button !== 1);
      this.down(event);
    });
    this.on(canvas, "pointermove", (event) => {
      this.note(event);
      this.viewer.invalidate();
      this.moved(event);
    });
    this.on(canvas, "pointerup", (event) => this.up(event));
    this.on(canvas, "pointercancel", (event) => this.cancel(event.pointerId));
    this.on(canvas, "lostpointercapture", (event) => this.cancel(event.pointerId));
    this.on(canvas, "pointerleave", () => this.leave());
    this.on(canvas, "dblclick", () => this.twice());
    this.on(canvas, "wheel", (event) => this.wheel(event));
    this.on(canvas, "contextmenu", (event) => event.preventDefault());
    this.on(window, "keydown", (event) => this.key(event));
    this.on(window, "keyup", (event) => this.key(event));
    const flush = () => (this.working ? this.flush() : this.rest());
    before.add(flush);
    this.forgets.push(() => before.delete(flush));
  }

  /** Hear something before everybody else, while at work. */
  private on<K extends keyof HTMLElementEventMap>(where: HTMLElement | Window, type: K, run: (event: HTMLElementEventMap[K]) => void): void {
    const heard = (event: Event) => {
      if (this.working) run(event as HTMLElementEventMap[K]);
    };
    where.addEventListener(type, heard, { capture: true, passive: false });
    this.forgets.push(() => where.removeEventListener(type, heard, { capture: true }));
  }

  private note({ clientX, clientY, pointerType }: PointerEvent): void {
    this.pointer = { x: clientX, y: clientY, touch: pointerType === "touch" };
  }

  protected leave(): void {
    this.pointer = null;
    this.viewer.invalidate();
  }

  /** A double-click. */
  protected twice(): void {}

  /** Others are at work. */
  private rest(): void {
    this.rings.hide();
    this.said = "";
  }

  private wheel(event: WheelEvent): void {
    const aside = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (this.drags && this.deepen(Math.min(0.3, Math.max(-0.3, -0.0008 * event.deltaY)))) this.anchor();
    else if (aside) this.viewer.camera.orbit(0.003 * (event.deltaX || event.deltaY));
    else return;
    swallowEvent(event);
  }

  // --- keys ---

  private key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]")) return;
    const down = event.type === "keydown";
    if (down && event.key === "Escape" && this.escape()) swallowEvent(event);
    if (!this.drags) return;
    const letter = event.key.toLowerCase();
    if (down && !event.ctrlKey && !event.metaKey && this.letter(letter)) swallowEvent(event);
    this.keep(event);
  }

  /** A letter while something is held: whether it means something. */
  protected letter(letter: string): boolean {
    if (letter !== "x" && letter !== "y" && letter !== "z") return false;
    this.keys.axis = this.keys.axis === letter ? null : letter;
    this.anchor();
    return true;
  }

  /** Keys that are held along with the pointer. */
  protected keep(event: MouseEvent | KeyboardEvent): void {
    const [shift, control] = [event.shiftKey, event.ctrlKey || event.altKey || event.metaKey];
    if (shift === this.keys.shift && control === this.keys.control) return;
    Object.assign(this.keys, { shift, control });
    this.anchor();
  }

  // --- what is meant ---

  protected say(text: string, cursor: string): void {
    if (text !== this.said) {
      this.said = text;
      hint.value = text;
    }
    const { style } = this.viewer.canvas;
    if (style.cursor !== cursor) style.cursor = cursor;
  }
}

/** Nobody else shall hear of it. */
export function swallowEvent(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
