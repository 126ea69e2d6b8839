/** What happens on the way of a motion: grips, releases, bounces, as the studio is asked for them. */

import { act, edit, findBody, scene } from "..";
import { viewport } from "../viewport";
import { toWorld, unrotate, type Vec } from "../../geometry/vectors";
import type { TransitionInfo } from "../../wire/messages";
import { closeNail, findTarget } from "./actions";
import { interpolatePoses } from "./motion";
import { chosenTransition, seekEdit, editTime, motion } from "./state";
import { alongBody, barAt, floorAt, type Surface } from "./surfaces";

export type Hold = "ball" | "hinge";

/** Bars that the motion knows. */
export const listBars = (): Surface[] => (edit.value?.bars ?? []) as Surface[];

const posesOf = (time: number): Float32Array | null => motion.value && interpolatePoses(motion.value.poses, motion.value, time);

/** Along the axes of its body: about the bar that it holds, else about the line of sight, so that it swings in the plane of the picture. */
function hingeAxis(name: string, point: Vec, time: number, surface: Surface | null = null): Vec | null {
  const [body, poses] = [findBody(name), posesOf(time)];
  const sight = viewport()?.forward;
  if (body < 0 || !poses || !sight) return null;
  const bar = surface?.bar ?? barAt(listBars(), toWorld(poses, body, point));
  return alongBody(poses, body, bar?.direction_of ?? sight);
}

export async function addGrip(kind: Hold = "ball"): Promise<void> {
  const [what, time] = [findTarget(), editTime.value];
  if (!what) return;
  const axis = kind === "hinge" ? hingeAxis(what.body, what.point, time) : null;
  choose(await act<number>("edit_grip", { body: what.body, time, point: what.point, kind, axis, free: true }));
}

export async function addRelease(): Promise<void> {
  await act("edit_release", { time: editTime.value, free: true });
}

export async function addBounce(): Promise<void> {
  const what = findTarget();
  if (what) choose(await act<number>("edit_bounce", { body: what.body, time: editTime.value, point: what.point }));
}

// --- what there is already ---

function choose(index: number | undefined): void {
  if (index === undefined) return;
  closeNail();
  chosenTransition.value = index;
}

/** Go there, and show what can be changed of it. */
export function chooseTransition({ index, time }: TransitionInfo): void {
  seekEdit(time);
  choose(index);
}

export async function removeTransition(index: number): Promise<void> {
  chosenTransition.value = null;
  await act("edit_cut", { index });
}

const change = (index: number, changes: Record<string, unknown>): Promise<unknown> => act("edit_happening", { index, ...changes });

/** When it comes down to the floor. */
export const moveToFloor = (transition: TransitionInfo): Promise<void> => moveToSurface(transition, floorUnder(transition));

export async function setHold({ index, body, point, time, surface }: TransitionInfo, kind: Hold): Promise<void> {
  await change(index, { kind, axis: kind === "hinge" ? hingeAxis(body, point as Vec, time, surface) : null });
}

/** At a time, whatever it waited for before. */
export async function moveToTime({ index, time, surface }: TransitionInfo, to: number): Promise<void> {
  await (surface ? change(index, { time: to }) : act("edit_retime", { time, to }));
}

/** When it meets something; a hinge turns about a bar that it waits for. */
export async function moveToSurface({ index, body, point, time, data }: TransitionInfo, surface: Surface): Promise<void> {
  const axis = data.hold === "hinge" && surface.bar ? hingeAxis(body, point as Vec, time, surface) : null;
  await change(index, { surface, axis });
}

/** The floor that it meets with what is below the point, as the body is turned now. */
const floorUnder = ({ body, point, time }: TransitionInfo): Surface => floorAt(scene.value?.floor ?? 0, below(findBody(body), point as Vec, time));

/** How far a body reaches straight down from a point of it [m]. */
function below(body: number, point: Vec, time: number): number {
  const poses = posesOf(time);
  if (!poses || body < 0) return 0;
  const ray = { origin: point, direction: unrotate(poses, 7 * body + 3, [0, -1, 0]) };
  return viewport()?.reach(body, ray) ?? 0;
}

// --- whether it can be ---

/** Whether it hangs on something from the beginning, as it was built. */
export const isHeldAtStart = (): boolean => scene.value?.bodies.some(({ parent, loose }) => parent < 0 && !loose) ?? false;

/** Whether something is held at a moment: after a grip that was not let go since. */
function isHeld(time: number): boolean {
  const before = edit.value?.transitions.findLast((transition) => transition.kind !== "bounce" && transition.time <= time);
  return before ? before.kind === "grip" : isHeldAtStart();
}

/** Why it cannot be gripped or let go at a moment; empty if it can. */
export function explainMisplaced(kind: "grip" | "release", time: number): string {
  if (isHeld(time) === (kind === "grip")) return kind === "grip" ? "It is held already at this moment. Let go first." : "Nothing is held at this moment.";
  const next = edit.value?.transitions.find((transition) => transition.kind !== "bounce" && transition.time > time);
  if (next?.kind !== kind) return "";
  const when = `${next.time.toFixed(2)} s`;
  return kind === "grip" ? `It grips at ${when} already. Take that out, or go where it has let go.` : `It lets go at ${when} already. Take that out, or go where it is held.`;
}
