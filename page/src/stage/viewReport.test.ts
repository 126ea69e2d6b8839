import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PerspectiveCamera, Vector3 } from "three";
import type { Look } from "../wire/messages";
import { EVERY, ViewReporter } from "./viewReport";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const middle = new Vector3(0, 1, 0);

function stage() {
  const told: Look[] = [];
  const looking = new ViewReporter((look) => told.push(look) > 0, () => Date.now());
  const camera = new PerspectiveCamera(32, 1.5);
  const from = (distance: number) => {
    camera.position.set(0, 1, distance);
    camera.lookAt(middle);
    camera.updateMatrixWorld();
    looking.update(camera, middle, 600);
  };
  return { told, looking, from };
}

it("tells where it looks from, once", () => {
  const { told, from } = stage();
  from(10);
  vi.advanceTimersByTime(EVERY);
  from(10.05);
  expect(told).toHaveLength(1);
  const [look] = told as [Look];
  expect(look.eye).toEqual([0, 1, 10]);
  look.target.forEach((value, k) => expect(value).toBeCloseTo(middle.getComponent(k), 9));
  expect(look).toMatchObject({ up: [0, 1, 0], height: 600, aspect: 1.5 });
  expect(look.fov).toBeCloseTo((32 * Math.PI) / 180, 12);
});

it("tells a camera that moves now and then, and where it came to rest", () => {
  const { told, from } = stage();
  for (let k = 0; k < 60; k++) {
    from(10 + k);
    vi.advanceTimersByTime(16);
  }
  expect(told.length).toBeGreaterThan(3);
  expect(told.length).toBeLessThan(7);
  vi.advanceTimersByTime(EVERY);
  expect(told.at(-1)?.eye[2]).toBe(69);
});

it("tells again once nobody knows", () => {
  const { told, looking, from } = stage();
  from(10);
  looking.forget();
  vi.advanceTimersByTime(EVERY);
  from(10);
  expect(told).toHaveLength(2);
});
