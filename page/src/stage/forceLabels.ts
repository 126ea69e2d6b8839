/** Forces in newtons, written beside the tips of their arrows. */

import { formatForce } from "../geometry/force";
import type { Force } from "./layers/forces";
import type { Viewer } from "./viewer";

/** A number that changes at every frame cannot be read [ms]. */
const PAUSE = 100;
/** From the tip of an arrow to the middle of its label [px]. */
const APART = 26;
/** Labels stay this far inside the stage [px]. */
const MARGIN = 24;

export class ForceLabels {
  private readonly labels = new Map<number, HTMLElement>();
  private readonly follow = () => this.update();
  private said = 0;

  constructor(private readonly viewer: Viewer, private readonly room: HTMLElement) {
    viewer.drawn.add(this.follow);
  }

  dispose(): void {
    this.viewer.drawn.delete(this.follow);
    this.room.replaceChildren();
  }

  private update(): void {
    const { forces } = this.viewer;
    if (forces.length === 0 && this.labels.size === 0) return;
    const now = performance.now();
    const anew = now - this.said > PAUSE;
    if (anew) this.said = now;
    const gone = new Set(this.labels.keys());
    for (const force of forces) {
      gone.delete(force.goal);
      const label = this.labels.get(force.goal) ?? this.make(force.goal);
      if (anew || label.textContent === "") label.textContent = formatForce(force.newtons);
      this.place(label, force);
    }
    for (const goal of gone) {
      this.labels.get(goal)?.remove();
      this.labels.delete(goal);
    }
  }

  private make(goal: number): HTMLElement {
    const label = document.createElement("span");
    label.className = "force-label";
    label.dataset.testid = "force";
    label.title = "The force that you pull with, and feel back";
    this.labels.set(goal, label);
    this.room.append(label);
    return label;
  }

  /** Beyond the tip, along the arrow as it is seen. */
  private place(label: HTMLElement, { from, tip }: Force): void {
    const box = this.room.getBoundingClientRect();
    const [a, b] = [this.viewer.project(...from), this.viewer.project(...tip)];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const inside = (value: number, size: number) => Math.min(Math.max(value, MARGIN), size - MARGIN);
    const x = inside(b.x - box.left + (APART * (b.x - a.x)) / length, box.width);
    const y = inside(b.y - box.top + (APART * (b.y - a.y)) / length, box.height);
    label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
  }
}
