/** Which shapes are drawn by one call: those that look alike, if there are many. */

import type { Form, Shape } from "../world";

/** From so many on, shapes that look alike are drawn as instances. */
const ALIKE = 16;

interface Sharing {
  /** One group for each form that many have. */
  groups: { form: Form; shapes: Shape[] }[];
  rest: Shape[];
}

/** Shapes that are covered or can be looked through are hidden and sorted one by one, and stay apart. */
export function shareForms(shapes: Shape[], alike = ALIKE): Sharing {
  const byForm = new Map<Form, Shape[]>();
  for (const shape of shapes) {
    if (shape.covered || shape.color[3] < 1 || shape.body < 0) continue;
    const list = byForm.get(shape.form);
    if (list) list.push(shape);
    else byForm.set(shape.form, [shape]);
  }
  const groups = [...byForm].filter(([, list]) => list.length >= alike).map(([form, list]) => ({ form, shapes: list }));
  const taken = new Set(groups.flatMap((group) => group.shapes));
  return { groups, rest: shapes.filter((shape) => !taken.has(shape)) };
}
