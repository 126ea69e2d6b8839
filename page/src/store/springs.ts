/** Springs of all joints at once: switched off and on again, also in the middle of a pull. */

import { act, doc, scene } from ".";

/** Strength that they get back. */
let last = 1;

const strength = (): number => (doc.value?.parameters.joint_springs as number | undefined) ?? 1;

export const springsOn = (): boolean => strength() > 0;

/** Whether any joint has a spring or a damper that could be switched. */
export function hasSprings(): boolean {
  return scene.value?.bodies.some(({ stiffness, damping }) => [...stiffness, ...damping].some((value) => value > 0)) ?? false;
}

export const explainNoSprings = (): string => (hasSprings() ? "" : "No joint of this scene has a spring.");

export async function toggleSprings(): Promise<void> {
  const now = strength();
  if (now > 0) last = now;
  await act("configure", { joint_springs: now > 0 ? 0 : last });
}
