import { afterEach, describe, expect, it } from "vitest";
import { edit } from "../../store";
import type { Edit } from "../../wire/messages";
import type { Vec } from "../../geometry/vectors";
import { Visibility } from "./visibility";
import { dragging } from "../../store/edit/state";

const bytes = (...numbers: number[]) => new Uint8Array(Float32Array.from(numbers).buffer);

/** A ball that goes from x = 0.2 to `end` in a second. */
function going(end: number, busy = false): void {
  const poses = bytes(0.2, 0.5, 0, 0, 0, 0, 1, end, 0.5, 0, 0, 0, 0, 1);
  edit.value = { open: true, epoch: 1, bodies: 1, duration: 1, busy, samples: bytes(0, 1), poses, before: bytes(), centers: bytes(0.2, 0.5, 0, end, 0.5, 0) } as unknown as Edit;
}

/** The picture reaches from 0 to 1. */
const whole = ([x, y]: Vec): [number, number] => [x, y];

describe("a motion in the picture", () => {
  afterEach(() => {
    edit.value = null;
    dragging.value = false;
  });

  it("is looked at again if an edit leads out of it, once nothing is dragged or searched for", () => {
    const view = new Visibility();
    going(0.8);
    expect(view.hasLeft(whole)).toBe(false);
    dragging.value = true;
    going(1.5);
    expect(view.hasLeft(whole)).toBe(false);
    dragging.value = false;
    going(1.6, true);
    expect(view.hasLeft(whole)).toBe(false);
    going(1.6);
    expect(view.hasLeft(whole)).toBe(true);
    expect(view.hasLeft(whole)).toBe(false);
  });

  it("is left alone where a person has zoomed in", () => {
    const view = new Visibility();
    const near = ([x, y]: Vec): [number, number] => [4 * x, y];
    going(0.8);
    expect(view.hasLeft(near)).toBe(false);
    going(0.9);
    expect(view.hasLeft(near)).toBe(false);
  });
});
