/** What happens on the way of a motion: grips, releases, bounces, as the studio is asked for them. */

import { act, edit, findBody, scene } from "..";
import { viewport } from "../viewport";
import { toWorld, unrotate, type Vec } from "../../geometry/vectors";
import type { TransitionInfo } from "../../wire/messages";
import { closeNail, meant } from "./actions";
import { posesAt } from "./motion";
import { chosenHappening, lookAt, moment, motion } from "./state";
import { alongBody, barAt, floorAt, type Surface } from "./surfaces";

export type Hold = "ball" | "hinge";

/** Bars that the motion knows. */
export const bars = (): Surface[] => (edit.value?.bars ?? []) as Surface[];

const posesOf = (time: number): Float32Array | null => motion.value && posesAt(motion.value.poses, motion.value, time);

/** Along the axes of its body: about the bar that it holds, else about the line of sight, so that it swings in the plane of the picture. */
function hingeAxis(name: string, point: Vec, time: number, surface: Surface | null = null): Vec | null {
  const [body, poses] = [findBody(name), posesOf(time)];
  const sight = viewport()?.forward;
  if (body < 0 || !poses || !sight) return null;
  const bar = surface?.bar ?? barAt(bars(), toWorld(poses, body, point));
  return alongBody(poses, body, bar?.direction_of ?? sight);
}

export async function grip(kind: Hold = "ball"): Promise<void> {
  const [what, time] = [meant(), moment.value];
  if (!what) return;
  const axis = kind === "hinge" ? hingeAxis(what.body, what.point, time) : null;
  choose(await act<number>("edit_grip", { body: what.body, time, point: what.point, kind, axis, free: true }));
}

export async function letGo(): Promise<void> {
  await act("edit_release", { time: moment.value, free: true });
}

export async function bounce(): Promise<void> {
  const what = meant();
  if (what) choose(await act<number>("edit_bounce", { body: what.body, time: moment.value, point: what.point }));
}

// --- what there is already ---

function choose(index: number | undefined): void {
  if (index === undefined) return;
  closeNail();
  chosenHappening.value = index;
}

/** Go there, and show what can be changed of it. */
export function chooseHappening({ index, time }: TransitionInfo): void {
  lookAt(time);
  choose(index);
}

export async function cut(index: number): Promise<void> {
  chosenHappening.value = null;
  await act("edit_cut", { index });
}

const change = (index: number, changes: Record<string, unknown>): Promise<unknown> => act("edit_happening", { index, ...changes });

/** When it comes down to the floor. */
export const happenOnFloor = (transition: TransitionInfo): Promise<void> => happenOn(transition, floorUnder(transition));

export async function holdBy({ index, body, point, time, surface }: TransitionInfo, kind: Hold): Promise<void> {
  await change(index, { kind, axis: kind === "hinge" ? hingeAxis(body, point as Vec, time, surface) : null });
}

/** At a time, whatever it waited for before. */
export async function happenAt({ index, time, surface }: TransitionInfo, to: number): Promise<void> {
  await (surface ? change(index, { time: to }) : act("edit_retime", { time, to }));
}

/** When it meets something; a hinge turns about a bar that it waits for. */
export async function happenOn({ index, body, point, time, data }: TransitionInfo, surface: Surface): Promise<void> {
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
export const heldAtFirst = (): boolean => scene.value?.bodies.some(({ parent, kind }) => parent < 0 && kind !== "free" && kind !== "planar") ?? false;

/** Whether something is held at a moment: after a grip that was not let go since. */
export function isHeld(time: number): boolean {
  const before = edit.value?.transitions.findLast((transition) => transition.kind !== "bounce" && transition.time <= time);
  return before ? before.kind === "grip" : heldAtFirst();
}

/** Why it cannot be gripped or let go at a moment; empty if it can. */
export function notHere(kind: "grip" | "release", time: number): string {
  if (isHeld(time) === (kind === "grip")) return kind === "grip" ? "It is held already at this moment. Let go first." : "Nothing is held at this moment.";
  const next = edit.value?.transitions.find((transition) => transition.kind !== "bounce" && transition.time > time);
  if (next?.kind !== kind) return "";
  const when = `${next.time.toFixed(2)} s`;
  return kind === "grip" ? `It grips at ${when} already. Take that out, or go where it has let go.` : `It lets go at ${when} already. Take that out, or go where it is held.`;
}
