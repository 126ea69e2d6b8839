/** Locking parts of the start of a motion, and letting them change again. */

import { act, scene } from "..";
import { listCells } from "./masks";

type Cell = readonly [attribute: string, body: string];

interface LockWord {
  attributes: string[];
  /** null for all bodies. */
  body: string | null;
}

/** What must be said to lock or free places of the table: attributes that are meant of all bodies are said once. */
export function lockWords(cells: readonly Cell[], every: readonly Cell[]): LockWord[] {
  const count = (of: readonly Cell[], attribute: string) => of.filter(([name]) => name === attribute).length;
  const names = [...new Set(cells.map(([attribute]) => attribute))];
  const whole = names.filter((name) => count(cells, name) === count(every, name) && count(every, name) > 1);
  const words: LockWord[] = whole.length > 0 ? [{ attributes: whole, body: null }] : [];
  const byBody = new Map<string, string[]>();
  for (const [attribute, body] of cells) if (!whole.includes(attribute)) byBody.set(body, [...(byBody.get(body) ?? []), attribute]);
  for (const [body, attributes] of byBody) words.push({ attributes, body });
  return words;
}

/** Lock or free attributes of bodies, as one step of undo. */
export async function lockCells(cells: readonly Cell[], lock: boolean): Promise<void> {
  const words = lockWords(cells, listCells(scene.value?.bodies ?? []));
  const command = lock ? "edit_lock" : "edit_unlock";
  if (words.length > 1) void act("begin_gesture", { label: lock ? "keep parts of the start" : "let parts of the start change" });
  await Promise.all(words.map((word) => act(command, { ...word })));
  if (words.length > 1) void act("end_gesture");
}
