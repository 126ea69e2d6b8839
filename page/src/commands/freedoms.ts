/** Commands that say what may change in an edit, for keys, palette and scripts of habit. */

import { isAllowed, listFreedoms, toggleFreedom, FREEDOMS } from "../store/edit/freedoms";
import { lockCells } from "../store/edit/locks";
import { listCells, shareFree, willLock } from "../store/edit/masks";
import { ATTRIBUTES } from "../store/edit/labels";
import { editing } from "../store/workspace";
import { act, edit, scene } from "../store";
import { watching } from "./reasons";
import { registerCommandsIn, type PageCommand } from "./registry";

const closed = () => watching() || (editing.value ? "" : "No motion is open yet. Say what to edit first.");
const cells = () => listCells(scene.value?.bodies ?? []);

/** Lock some places of the table, or free them if all of them are locked. */
function toggle(some: [string, string][]): void {
  void lockCells(some, willLock(shareFree(edit.value?.locked ?? [], some)));
}

const attributes = ATTRIBUTES.map(({ name, label, help }): PageCommand => ({
  id: `edit.lock.${name.replace(" ", "-")}`,
  title: `Keep or free at the start: ${label.toLowerCase()}`,
  group: "Editing",
  help: `Of all bodies: ${help}.`,
  run: () => toggle(cells().filter(([attribute]) => attribute === name)),
  blocked: () => closed() || (cells().some(([attribute]) => attribute === name) ? "" : "No body of this scene has that."),
}));

const freedoms = FREEDOMS.map(({ name, label, help }): PageCommand => ({
  id: `edit.allow.${name}`,
  title: `May change or not: ${label.toLowerCase()}`,
  group: "Editing",
  help,
  run: () => {
    const joints = scene.value?.bodies.filter(({ nv, parent }) => nv > 0 && parent >= 0).map(({ joint }) => joint) ?? [];
    void act("edit_allow", { [name]: toggleFreedom(name, !isAllowed(edit.value?.options[name]), joints) });
  },
  blocked: () => closed() || (listFreedoms(edit.value?.options ?? {}, edit.value?.transitions.length ?? 0).some((other) => other.name === name) ? "" : "It cannot change in this motion."),
}));

registerCommandsIn("edit", ...attributes, ...freedoms, {
  id: "edit.lock.all",
  title: "Keep or free the whole start",
  group: "Editing",
  help: "Lock everything of the start, or let everything change if all is locked.",
  run: () => toggle(cells()),
  blocked: closed,
});
