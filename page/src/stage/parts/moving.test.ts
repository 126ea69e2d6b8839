import { Color } from "three";
import { beforeAll, expect, it, vi } from "vitest";
import { token } from "../palette";
import type { Shape } from "../world";
import { MovingPaint } from "./moving";

const shape = (body: number): Shape => ({ body, color: [1, 0, 0, 1], covered: false }) as Shape;
const shapes = [shape(0), shape(1), shape(-1)];

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { dataset: { theme: "dark" } } });
  token("active").set("#00ff00");
  token("held").set("#0000ff");
});

/** A figure that remembers what it was painted with, and how often. */
function figure() {
  const colors = new Map<number, string>();
  const painted: number[] = [];
  return {
    colors,
    painted,
    paint(color: (shape: Shape, out: Color) => Color, some: (shape: Shape) => boolean = () => true) {
      for (const one of shapes.filter(some)) {
        painted.push(one.body);
        colors.set(one.body, color(one, new Color()).getHexString());
      }
    },
  };
}

it("is bright where a joint moves, calm where it is held, and leaves the world alone", () => {
  const drawn = figure();
  new MovingPaint(drawn).update(Uint32Array.of(0b01), true);
  expect(drawn.colors.get(0)).toBe("00ff00");
  expect(drawn.colors.get(1)).not.toBe("00ff00");
  expect(drawn.colors.get(1)).not.toBe("ff0000");
  expect(drawn.colors.get(-1)).toBe("ff0000");
});

it("paints again only what has changed", () => {
  const drawn = figure();
  const paint = new MovingPaint(drawn);
  paint.update(Uint32Array.of(0b01), true);
  drawn.painted.length = 0;
  paint.update(Uint32Array.of(0b01), true);
  expect(drawn.painted).toEqual([]);
  paint.update(Uint32Array.of(0b11), true);
  expect(drawn.painted).toEqual([1]);
});

it("gives shapes their own colours back when it is switched off or nothing was chosen", () => {
  const drawn = figure();
  const paint = new MovingPaint(drawn);
  paint.update(Uint32Array.of(0b01), true);
  paint.update(Uint32Array.of(0b01), false);
  expect([...drawn.colors.values()]).toEqual(["ff0000", "ff0000", "ff0000"]);
  paint.update(Uint32Array.of(0b01), true);
  paint.update(new Uint32Array(), true);
  expect([...drawn.colors.values()]).toEqual(["ff0000", "ff0000", "ff0000"]);
});
