/** Priorities by dragging: goals stand in levels, 1 is met first, and goals of a level share by weight. */

export interface Ranked {
  id: number;
  priority: number;
}

export interface Change {
  goal: number;
  priority: number;
}

/** As the list shows them: by priority, the older one first. */
export function sortGoals<T extends Ranked>(goals: readonly T[]): T[] {
  return [...goals].sort((a, b) => a.priority - b.priority || a.id - b.id);
}

/** Where a goal may be dropped: into a level beside others, or on a level of its own before the one at `index`. */
export type Slot = { join: number } | { before: number };

/** The levels there are, with the goal that is dragged taken out. */
export function levels<T extends Ranked>(goals: readonly T[], without?: number): { priority: number; goals: T[] }[] {
  const found: { priority: number; goals: T[] }[] = [];
  for (const goal of sortGoals(goals)) {
    if (goal.id === without) continue;
    const last = found.at(-1);
    if (last?.priority === goal.priority) last.goals.push(goal);
    else found.push({ priority: goal.priority, goals: [goal] });
  }
  return found;
}

/** What must change so that a goal stands in a slot: as little as possible, and nothing if it stands there already. */
export function reorder(goals: readonly Ranked[], moved: number, slot: Slot): Change[] {
  const others = levels(goals, moved);
  const self = goals.find((goal) => goal.id === moved);
  if (!self) return [];
  if ("join" in slot) return self.priority === slot.join ? [] : [{ goal: moved, priority: slot.join }];
  const index = Math.min(Math.max(slot.before, 0), others.length);
  const before = others[index - 1]?.priority ?? 0;
  const after = others[index]?.priority ?? Infinity;
  if (before < self.priority && self.priority < after) return [];
  const place = free(before, after);
  const changes: Change[] = place === self.priority ? [] : [{ goal: moved, priority: place }];
  // Those behind make room, as far as there is a crowd.
  let taken = place;
  for (const level of others.slice(index)) {
    if (level.priority > taken) break;
    taken += 1;
    for (const goal of level.goals) changes.push({ goal: goal.id, priority: taken });
  }
  return changes;
}

/** A whole number between two levels; if there is none, that of the one behind. */
function free(before: number, after: number): number {
  if (before === 0 && Number.isFinite(after)) return Math.max(1, after - 1);
  return before + 1;
}

/** One place up or down, for the keyboard: out of a shared level onto one of its own, or into the next level. */
export function moveLevel(goals: readonly Ranked[], moved: number, up: boolean): Change[] {
  const self = goals.find((goal) => goal.id === moved);
  if (!self) return [];
  const others = levels(goals, moved);
  const ahead = others.filter((level) => level.priority < self.priority).length;
  const shared = others[ahead]?.priority === self.priority;
  if (shared) return reorder(goals, moved, { before: up ? ahead : ahead + 1 });
  const next = others[up ? ahead - 1 : ahead];
  return next ? reorder(goals, moved, { join: next.priority }) : [];
}
