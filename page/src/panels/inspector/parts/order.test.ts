import { describe, expect, it } from "vitest";
import { sortGoals, levels, moveLevel, reorder, type Change, type Ranked } from "./order";

const goals = (...priorities: number[]): Ranked[] => priorities.map((priority, k) => ({ id: k + 1, priority }));

function applied(before: Ranked[], changes: Change[]): number[] {
  const after = before.map((goal) => ({
    ...goal,
    priority: changes.find((change) => change.goal === goal.id)?.priority ?? goal.priority,
  }));
  return sortGoals(after).map((goal) => goal.id);
}

describe("reorder", () => {
  it("uses a number that is free, and touches nobody else", () => {
    expect(reorder(goals(1, 3, 3), 3, { before: 1 })).toEqual([{ goal: 3, priority: 2 }]);
  });
  it("moves those behind up when it is crowded, and only those", () => {
    const crowd = goals(1, 2, 3, 7);
    const changes = reorder(crowd, 3, { before: 0 });
    expect(changes).toEqual([
      { goal: 3, priority: 1 },
      { goal: 1, priority: 2 },
      { goal: 2, priority: 3 },
    ]);
    expect(applied(crowd, changes)).toEqual([3, 1, 2, 4]);
  });
  it("keeps goals of a level together when they move up", () => {
    const crowd = goals(1, 1, 2);
    expect(applied(crowd, reorder(crowd, 3, { before: 0 }))).toEqual([3, 1, 2]);
    expect(reorder(crowd, 3, { before: 0 })).toContainEqual({ goal: 2, priority: 2 });
  });
  it("goes before the first without moving it if there is room", () => {
    expect(reorder(goals(3, 3), 2, { before: 0 })).toEqual([{ goal: 2, priority: 2 }]);
  });
  it("goes behind the last", () => {
    expect(reorder(goals(1, 3), 1, { before: 1 })).toEqual([{ goal: 1, priority: 4 }]);
  });
  it("joins a level", () => {
    expect(reorder(goals(1, 3), 2, { join: 1 })).toEqual([{ goal: 2, priority: 1 }]);
    expect(reorder(goals(1, 3), 2, { join: 3 })).toEqual([]);
  });
  it("changes nothing where it stands already, nor for a goal that is gone", () => {
    expect(reorder(goals(1, 2, 5), 2, { before: 1 })).toEqual([]);
    expect(reorder(goals(1), 9, { before: 0 })).toEqual([]);
  });
  it("never gives a number below 1, and always puts it where it was dropped", () => {
    for (let seed = 0; seed < 200; seed++) {
      const set = goals(...[0, 1, 2, 3].map((k) => 1 + ((seed * 7 + k * k * 3 + (seed >> k)) % 4)));
      for (const { id } of set) {
        const others = levels(set, id);
        for (let index = 0; index <= others.length; index++) {
          const changes = reorder(set, id, { before: index });
          const order = applied(set, changes);
          const passed = others.slice(0, index).flatMap((level) => level.goals.map((goal) => goal.id));
          expect(new Set(order.slice(0, order.indexOf(id)))).toEqual(new Set(passed));
          expect(changes.every((change) => change.priority >= 1)).toBe(true);
        }
      }
    }
  });
});

describe("nudge", () => {
  it("joins the next level, then leaves it on the other side", () => {
    const set = goals(1, 3);
    expect(moveLevel(set, 2, true)).toEqual([{ goal: 2, priority: 1 }]);
    expect(moveLevel(goals(1, 1), 2, true)).toEqual([{ goal: 1, priority: 2 }]);
    expect(moveLevel(goals(1, 1), 2, false)).toEqual([{ goal: 2, priority: 2 }]);
  });
  it("stays at the ends", () => {
    expect(moveLevel(goals(1, 2), 1, true)).toEqual([]);
    expect(moveLevel(goals(1, 2), 2, false)).toEqual([]);
  });
});
