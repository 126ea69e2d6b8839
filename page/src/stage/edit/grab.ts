/** What the hands tell the studio about a motion that they drag. */

import { newPointer } from "../../store/grabs";
import { act, doc, showToast } from "../../store";
import { ask, newSequence, Refused, send } from "../../wire/connection";
import type { Quaternion, Vector } from "../../wire/messages";
import { dragging, dragBand } from "../../store/edit/state";

/** What the studio may take to write a drag down [ms]. */
const PATIENCE = 4000;

interface GrabTarget {
  target: Vector | null;
  orientation: Quaternion | null;
}

/** A hand that drags the motion, from the grab until it lets go. */
export class EditGrab {
  private readonly pointer = newPointer();
  private over = false;

  /** `options` say the moment and what is dragged, or which nail. */
  constructor(bone: string, point: Vector, wish: GrabTarget, options: Record<string, unknown>) {
    dragging.value = true;
    ask({ type: "grab", pointer: this.pointer, kind: "edit", bone, point, ...wish, options }).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      showToast("error", error.message);
      this.forget();
    });
  }

  get lost(): boolean {
    return this.over;
  }

  move(wish: GrabTarget): void {
    if (!this.over) send({ type: "move", pointer: this.pointer, sequence: newSequence(), ...wish });
  }

  release(): void {
    if (this.over) return;
    this.forget();
    ask({ type: "release", pointer: this.pointer, keep: false }).catch((error: unknown) => {
      // A hand that the studio had already let go needs no word.
      if (!(error instanceof Refused)) throw error;
    });
  }

  /** Let go, and take back what the drag has changed, once the studio has written it down. */
  async cancel(): Promise<void> {
    if (this.over) return;
    const before = doc.peek()?.revision;
    this.release();
    void act("edit_stop");
    const end = performance.now() + PATIENCE;
    while (performance.now() < end && !dragging.peek()) {
      if (doc.peek()?.revision !== before) {
        // A drag that has changed nothing leaves nothing to take back.
        if (doc.peek()?.undo.startsWith("drag")) await act("undo");
        return;
      }
      await new Promise((done) => setTimeout(done, 30));
    }
  }

  /** Drop it without a word, for when the studio has dropped it already. */
  forget(): void {
    this.over = true;
    dragging.value = false;
    dragBand.now = null;
  }
}
