/** The panel beside the stage: whether it is open. In a narrow window it lies over the stage, and is folded until it is asked for. */

import { computed, signal } from "@preact/signals";
import { inspectorOpen } from ".";

/** Of the width in `styles/narrow.css`. */
const small = globalThis.matchMedia?.("(max-width: 899px)");
const narrow = signal(small?.matches ?? false);
const over = signal(false);

small?.addEventListener("change", () => {
  narrow.value = small.matches;
  over.value = false;
});

export const panelOpen = computed(() => (narrow.value ? over.value : inspectorOpen.value));

export function openPanel(on: boolean): void {
  (narrow.peek() ? over : inspectorOpen).value = on;
}
