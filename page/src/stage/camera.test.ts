import { expect, it, vi } from "vitest";
import { Vector3 } from "three";
import { StageCamera } from "./camera";

// The one thing of a browser that the controls need without an element to listen to.
vi.stubGlobal("DOMRect", class {});

/** A camera five metres in front of the middle, without a page around it. */
function looking(): StageCamera {
  const camera = new StageCamera(undefined, () => {});
  camera.resize(800, 800);
  camera.look("front", false);
  camera.frame(new Vector3(0, 1, 0), 1.4, false);
  camera.update(0.016);
  return camera;
}

/** Where a point is in the picture, from -1 to 1. */
function place(camera: StageCamera, point: Vector3): Vector3 {
  camera.camera.updateMatrixWorld();
  return point.clone().project(camera.camera);
}

function watch(camera: StageCamera, path: (second: number) => Vector3): void {
  for (let k = 1; k <= 240; k++) {
    camera.keep(path(k / 60));
    camera.update(1 / 60);
  }
}

it("leaves the view alone while the character is well inside", () => {
  const camera = looking();
  const before = camera.camera.position.clone();
  watch(camera, (t) => new Vector3(0.3 * Math.sin(t), 1, 0));
  expect(camera.camera.position.distanceTo(before)).toBeLessThan(1e-6);
});

it("holds a new character only if all of it is in the picture, and not small", () => {
  const camera = looking();
  const ball = (x: number, radius: number) => camera.holds(new Vector3(x, 1, 0), radius);
  expect(ball(0, 0.9)).toBe(true);
  expect(ball(0.4, 0.9)).toBe(true);
  expect(ball(0.7, 0.9)).toBe(false);
  expect(ball(0, 1.6)).toBe(false);
  expect(ball(0, 0.3)).toBe(false);
  camera.taken = true;
  expect(ball(0.7, 0.9)).toBe(true);
  expect(ball(0, 0.3)).toBe(true);
  expect(ball(9, 0.9)).toBe(false);
});

it("judges by the view that a smooth move leads to", () => {
  const camera = looking();
  camera.frame(new Vector3(0.6, 1, 0), 0.5);
  camera.update(0.016);
  expect(camera.holds(new Vector3(0, 1, 0), 0.9)).toBe(true);
  camera.arrive();
  expect(camera.holds(new Vector3(0, 1, 0), 0.9)).toBe(false);
  expect(place(camera, new Vector3(0.6, 1, 0)).x).toBeCloseTo(0);
});

it("keeps what walks away near the edge, and neither loses nor overtakes it", () => {
  const camera = looking();
  watch(camera, (t) => new Vector3(t, 1, 0));
  const { x } = place(camera, new Vector3(4, 1, 0));
  expect(x).toBeGreaterThan(0.5);
  expect(x).toBeLessThan(1);
});

it("keeps all of a character in view, not only its middle", () => {
  const camera = looking();
  for (let k = 1; k <= 240; k++) {
    camera.keep(new Vector3(k / 60, 1, 0), 0.7);
    camera.update(1 / 60);
  }
  for (let k = 0; k < 60; k++) {
    camera.keep(new Vector3(4 + 1e-4 * k, 1, 0), 0.7);
    camera.update(1 / 60);
  }
  expect(place(camera, new Vector3(4.7, 1, 0)).x).toBeLessThan(1);
});

it("never loses what flies off, however fast", () => {
  const camera = looking();
  for (let k = 1; k <= 120; k++) {
    const point = new Vector3(0.2 * k, 1, 0);
    camera.keep(point);
    camera.update(1 / 60);
    expect(Math.abs(place(camera, point).x)).toBeLessThan(1);
  }
});

it("leaves what a hand has moved aside where it was put, and follows it from there", () => {
  const camera = looking();
  camera.keep(new Vector3(0, 1, 0));
  void camera.controls.truck(-1.2, 0, false);
  camera.controls.dispatchEvent({ type: "control" });
  camera.update(1 / 60);
  const aside = place(camera, new Vector3(0, 1, 0)).x;
  expect(aside).toBeGreaterThan(0.7);
  watch(camera, (t) => new Vector3(1e-3 * t, 1, 0));
  expect(place(camera, new Vector3(0, 1, 0)).x).toBeCloseTo(aside, 1);
  watch(camera, (t) => new Vector3(t, 1, 0));
  expect(place(camera, new Vector3(4, 1, 0)).x).toBeLessThan(aside + 0.26);
});

it("stays above the floor, wherever it is turned", () => {
  const camera = looking();
  camera.fitStage(1, 0);
  void camera.controls.moveTo(0, -3, 0, false);
  void camera.controls.rotateTo(0, Math.PI, false);
  camera.update(1 / 60);
  expect(camera.camera.position.y).toBeGreaterThan(0);
});

it("finds what appears far aside or behind the eye", () => {
  for (const point of [new Vector3(30, 1, 0), new Vector3(0, 1, 40)]) {
    const camera = looking();
    watch(camera, (t) => point.clone().setY(1 + 1e-4 * t));
    const { x, y, z } = place(camera, point);
    expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(1);
    expect(z).toBeLessThan(1);
  }
});

it("goes along with what it follows", () => {
  const camera = looking();
  camera.follow(new Vector3(0, 1, 0));
  for (let k = 1; k <= 300; k++) {
    camera.follow(new Vector3(Math.min(3, k / 60), 1, 0));
    camera.update(1 / 60);
  }
  expect(place(camera, new Vector3(3, 1, 0)).x).toBeCloseTo(0, 2);
});
