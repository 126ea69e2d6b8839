/** Limp joints: those that nobody drives, so that they only follow the physics, on a spring perhaps. */

import { act, doc, scene } from "../store";

export function isLimp(body: number): boolean {
  const joint = scene.value?.bodies[body]?.joint;
  return doc.value?.joints.some((state) => state.name === joint && ["passive", "free"].includes(state.state)) ?? false;
}

/** Let the joint of a bone go limp or work again; all joints of its character if `whole`. */
export async function toggleLimp(body: number, whole: boolean): Promise<void> {
  const bodies = scene.value?.bodies ?? [];
  const meant = bodies[body];
  if (!meant) return;
  const driven = new Set(doc.value?.joints.map((joint) => joint.name));
  const same = bodies.filter((other) => (whole ? other.character === meant.character : other === meant));
  const joints = same.map((other) => other.joint).filter((joint) => driven.has(joint));
  if (joints.length > 0) await act(isLimp(body) ? "direct" : "passive", { joints });
}
