/** Which workspace the page shows: directing a character, or editing a motion. */

import { computed, signal } from "@preact/signals";
import { edit } from ".";

export type Workspace = "direct" | "edit";

/** Whether a motion is open in the editor. */
export const editing = computed(() => edit.value?.open ?? false);

/** Whether somebody wants to edit and has not yet said what. */
export const entering = signal(false);

export const workspace = computed<Workspace>(() => (editing.value || entering.value ? "edit" : "direct"));
