/** The kinds of goals. The studio says them when it greets; nothing here knows any by itself. */

import type { GoalKindInfo } from "../wire/messages";
import { welcome } from "./studio";

export function goalKinds(): GoalKindInfo[] {
  return welcome.value?.goals ?? [];
}

export function findGoalKind(kind: string): GoalKindInfo | undefined {
  return goalKinds().find((known) => known.kind === kind);
}
