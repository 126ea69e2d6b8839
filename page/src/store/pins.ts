/** Pins: a click sets one where the bone is, another click takes it away. */

import { signal } from "@preact/signals";
import { act, doc, scene } from ".";
import type { GoalInfo } from "../wire/messages";
import type { Vec } from "../geometry/vectors";

export type PinKind = "position" | "orientation" | "height";

/** The little window beside a fresh pin: of which bone, and where in the window. */
export const pinMenu = signal<{ bone: string; point: Vec; goal: number; kind: PinKind; x: number; y: number } | null>(null);

export const findPin = (bone: string): GoalInfo | undefined =>
  doc.value?.goals.find((goal) => goal.kind === "pin" && goal.bone === bone);

export async function togglePin(body: number, point: Vec, x: number, y: number): Promise<void> {
  const bone = scene.value?.bodies[body]?.name;
  if (bone === undefined) return;
  const there = findPin(bone);
  pinMenu.value = null;
  if (there) {
    await act("release_goal", { goal: there.id });
    return;
  }
  const goal = await setPin(bone, point, "position");
  if (goal !== undefined) pinMenu.value = { bone, point, goal, kind: "position", x, y };
}

/** Hold something else of the bone instead. */
export async function changePin(kind: PinKind): Promise<void> {
  const menu = pinMenu.value;
  if (!menu || menu.kind === kind) return;
  pinMenu.value = { ...menu, kind };
  await act("release_goal", { goal: menu.goal });
  const goal = await setPin(menu.bone, menu.point, kind);
  if (goal !== undefined) pinMenu.value = { ...menu, kind, goal };
}

export async function removePin(): Promise<void> {
  const menu = pinMenu.value;
  pinMenu.value = null;
  if (menu) await act("release_goal", { goal: menu.goal });
}

function setPin(bone: string, point: Vec, kind: PinKind): Promise<number | undefined> {
  const what = {
    position: { position: true, orientation: false },
    orientation: { position: false, orientation: true },
    height: { position: true, orientation: false, axes: "y" },
  }[kind];
  return act<number>("goal", { kind: "pin", bone, point, ...what });
}
