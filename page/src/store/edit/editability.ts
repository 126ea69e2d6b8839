/** Whether a motion of a scene can be edited at all. */

import type { Scene } from "../../wire/messages";

/** Why it cannot, and never will; empty if it can. */
export function explainUneditable({ bodies, flesh, loops }: Pick<Scene, "bodies" | "flesh" | "loops">): string {
  if (flesh) return "This character has flesh, which wobbles along. Only motions of bare bones can be edited.";
  const alone = bodies.filter(({ parent }) => parent < 0).length;
  if (alone === 0) return "Nothing moves in this scene.";
  if (alone > 1) return "Several move here, each on its own. Only the motion of one character alone can be edited.";
  return loops > 0 ? "Parts of this character are joined in a ring. Only motions of bodies that branch like a tree can be edited." : "";
}
