/** What a person does to a motion, as the studio is asked for it. */

import { signal } from "@preact/signals";
import { hover } from "../grabs";
import { act, edit, mode, scene, selected, status, showToast } from "..";
import type { BodyInfo, NailInfo, Scene } from "../../wire/messages";
import type { Vec } from "../../geometry/vectors";
import { chosenNail, seekEdit, editTime, nailMenu, findNail, setPlaying } from "./state";
import { editing, entering } from "../workspace";

// --- in and out ---

/** Why no motion of a scene can be edited, and never will be; empty if it can. */
export function explainUneditable({ bodies, flesh, loops }: Pick<Scene, "bodies" | "flesh" | "loops">): string {
  if (flesh) return "This character has flesh, which wobbles along. Only motions of bare bones can be edited.";
  const alone = bodies.filter(({ parent }) => parent < 0).length;
  if (alone === 0) return "Nothing moves in this scene.";
  if (alone > 1) return "Several move here, each on its own. Only the motion of one character alone can be edited.";
  return loops > 0 ? "Parts of this character are joined in a ring. Only motions of bodies that branch like a tree can be edited." : "";
}

/** Go to the Edit workspace: what is still open is there, else a person says what to edit. */
export function enterEdit(): void {
  if (mode.value === "pose" || mode.value === "passive") mode.value = "bone";
  entering.value = true;
  if (editing.value) return;
  if (status.value?.mode !== "paused") void act("pause");
  if (scene.value && !explainUneditable(scene.value)) void act("edit_prepare");
}

/** Whether a motion is on its way: the physics it needs may have to be made ready first. */
export const openingMotion = signal(false);

async function open(command: string, args: Record<string, unknown>): Promise<void> {
  openingMotion.value = true;
  await act(command, args).finally(() => (openingMotion.value = false));
}

/** Edit what is on record: a stretch of the lane that is looked at. */
export const openTake = (begin: number, end: number): Promise<void> => open("edit_open", { lane: status.value?.lane ?? null, begin, end });

/** Edit what would happen from now on if nobody did anything. */
export const openThrow = (duration: number): Promise<void> => open("edit_start", { duration });

/** Back to directing; the edit is put away, which undo takes back. */
export async function leaveEdit(): Promise<void> {
  setPlaying(false);
  if (editing.value) {
    if ((await act("edit_close")) === undefined && editing.value) return;
    showToast("info", "The edit is put away. Undo brings it back.");
  }
  entering.value = false;
}

/** Whether the motion is being kept: a long one takes a while. */
export const keepingMotion = signal(false);

/** The motion becomes a lane of the take. */
export async function keepMotion(): Promise<void> {
  setPlaying(false);
  keepingMotion.value = true;
  const lane = await act("edit_keep").finally(() => (keepingMotion.value = false));
  // A refusal was told already; that the motion is closed is told a little later.
  if (lane === undefined) return;
  entering.value = false;
  const who = (scene.peek()?.characters.length ?? 0) > 0;
  showToast("info", `Kept as a take. ${who ? "Direct it" : "Let it go on"} from any moment of it.`);
}

// --- nails ---

/** What is meant: what the pointer is on, else what is selected. */
export function findTarget(): { body: string; point: Vec } | null {
  const aim = hover.aim;
  const name = scene.value?.bodies[aim?.body ?? selected.value]?.name;
  return name === undefined ? null : { body: name, point: aim?.point ?? [0, 0, 0] };
}

/** Nail something at the moment that is looked at, as it is then unless a target is given; gives the number of the nail. */
export async function addNail(kind: string, body: string, point: Vec, target: number[] | null = null): Promise<number | undefined> {
  const id = await act<number>("edit_nail", { body, time: editTime.value, kind, target, point });
  if (typeof id === "number") chosenNail.value = id;
  return id;
}

/** Nail what is meant; says what to do if nothing is. */
export async function addNailToTarget(kind: string): Promise<void> {
  const what = findTarget() ?? (kind === "center" ? { body: scene.value?.bodies[0]?.name ?? "", point: [0, 0, 0] as Vec } : null);
  if (what) await addNail(kind, what.body, what.point);
}

export async function removeNail(id: number): Promise<void> {
  if (chosenNail.value === id) closeNail();
  await act("edit_unnail", { nail: id });
}

/** Whether nothing else is at the moment of a nail: it can be moved in time, and the motion with it. */
function isAlone({ id, time }: NailInfo): boolean {
  const near = (other: number) => Math.abs(other - time) < 1e-3;
  const open = edit.value;
  return !open?.nails.some((nail) => nail.id !== id && near(nail.time)) && !open?.transitions.some((transition) => near(transition.time));
}

/** Of nails that came to be about the whole: what they were about before. */
const about = new Map<number, { body: string; point: Vec }>();

/** The body that a nail is about, or was before it came to be about the whole. */
export function findNailBody({ id, body }: NailInfo): BodyInfo | undefined {
  const name = body || about.get(id)?.body;
  return name ? scene.value?.bodies.find((one) => one.name === name) : scene.value?.bodies[0];
}

/** Another kind or moment of a nail that is there; without a target it wants what there is. */
export async function changeNail(id: number, change: { kind?: string; time?: number; target?: number[] }): Promise<void> {
  const old = findNail(id);
  if (!old) return;
  if (change.time !== undefined && (old.kind === "pose" || isAlone(old))) {
    await act("edit_retime", { time: old.time, to: change.time });
    return;
  }
  const { time, kind, target, strength } = { ...old, ...change };
  if (old.body) about.set(id, { body: old.body, point: old.point });
  const body = findNailBody(old)?.name ?? "";
  const wanted = change.kind !== undefined && change.kind !== old.kind ? null : target;
  await act("edit_nail", { body, time, kind, target: wanted, point: about.get(id)?.point ?? old.point, strength, nail: id });
}

export function closeNail(): void {
  chosenNail.value = null;
  nailMenu.value = null;
}

/** Choose a nail and look at its moment. */
export function chooseNail({ id, time }: NailInfo): void {
  chosenNail.value = id;
  seekEdit(time);
}

// --- the motion ---

export const solveMotion = (how: { nails_only?: boolean; nearest?: boolean } = {}): Promise<unknown> => act("edit_solve", how);
