/** What vanishes with the page: what is selected, what a drag does, which dialog is open. */

import { signal } from "@preact/signals";

export type Mode = "bone" | "center" | "turn" | "pose" | "pin" | "passive" | "camera";
export type Plane = "camera" | "floor" | "axis";

export const mode = signal<Mode>("bone");
export const plane = signal<Plane>("camera");
/** Number of the bone that is selected, -1 if none is. */
export const selected = signal(-1);
/** What a click would do where the pointer is. */
export const hint = signal("");
/** While the key is held, ghosts of the future are shown whatever the layer says. */
export const peek = signal(false);
/** Whether somebody looks at what a step costs, so that it is measured. */
export const costShown = signal(false);
export const dialog = signal<"" | "gallery" | "keys" | "palette" | "export" | "save" | "open" | "tour">("");

export function closeDialog(): void {
  dialog.value = "";
}
