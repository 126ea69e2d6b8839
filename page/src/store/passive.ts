/** Limp joints: those that nobody drives, so that they only follow the physics, on a spring perhaps. */

import { act, doc, scene } from ".";

/** Joints that a click on a bone is about: its own, or those of the whole character if it has none or all are meant. */
export function findTargetJoints(body: number, whole: boolean): { joints: string[]; whole: boolean } {
  const bodies = scene.value?.bodies ?? [];
  const meant = bodies[body];
  const driven = new Set(doc.value?.joints.map((joint) => joint.name));
  // A root that moves freely has nothing that could go limp.
  for (const { root, root_free } of scene.value?.characters ?? []) if (root_free) driven.delete(bodies[root]?.joint ?? "");
  if (!meant) return { joints: [], whole };
  if (!whole && driven.has(meant.joint)) return { joints: [meant.joint], whole: false };
  const all = bodies.filter((other) => other.character === meant.character).map((other) => other.joint);
  return { joints: all.filter((joint) => driven.has(joint)), whole: true };
}

export function arePassive(joints: string[]): boolean {
  const states = new Map(doc.value?.joints.map((joint) => [joint.name, joint.state]));
  return joints.length > 0 && joints.every((joint) => ["passive", "free"].includes(states.get(joint) ?? ""));
}

/** Let the joint of a bone go limp or work again; all joints of its character if `whole`. */
export async function togglePassive(body: number, whole: boolean): Promise<void> {
  const { joints } = findTargetJoints(body, whole);
  if (joints.length > 0) await act(arePassive(joints) ? "direct" : "passive", { joints });
}
