import { expect, it } from "vitest";
import type { Form, Shape } from "../world";
import { shareForms } from "./sharing";

const form = (): Form => ({
  points: new Float32Array(9),
  triangles: new Uint32Array(3),
  smooth: true,
  corners: [],
  ball: { center: [0, 0, 0], radius: 1 },
});
const shape = (of: Form, body: number, more: Partial<Shape> = {}): Shape => ({ body, covered: false, color: [1, 1, 1, 1], form: of, ...more });

it("shapes that look alike share a call if there are many of them, and no shape is lost", () => {
  const [arm, head] = [form(), form()];
  const arms = [0, 1, 2, 3].map((body) => shape(arm, body));
  const heads = [4, 5].map((body) => shape(head, body));
  const { groups, rest } = shareForms([...arms, ...heads], 3);
  expect(groups).toEqual([{ form: arm, shapes: arms }]);
  expect(rest).toEqual(heads);
});

it("what is covered, clear or fixed to the world stays apart", () => {
  const some = form();
  const odd = [shape(some, 0, { covered: true }), shape(some, 1, { color: [1, 1, 1, 0.5] }), shape(some, -1)];
  const plain = [2, 3].map((body) => shape(some, body));
  const { groups, rest } = shareForms([...odd, ...plain], 2);
  expect(groups.map((group) => group.shapes)).toEqual([plain]);
  expect(rest).toEqual(odd);
});
