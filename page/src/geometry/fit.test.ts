import { PerspectiveCamera, Spherical, Vector3 } from "three";
import { expect, it } from "vitest";
import { fitView } from "./fit";
import type { Vec } from "./vectors";

const POINTS: Vec[] = [[0, 0, 0], [3, 1, 0.4], [-0.5, 2.2, -1], [1, -0.3, 2]];

it.each([[0, 1.5, 1.6], [0.9, 1.1, 0.5], [-2.4, 0.6, 2.5]])("has all points in the picture, and one at its edge (%d, %d, %d)", (azimuth, polar, aspect) => {
  const camera = new PerspectiveCamera(32, aspect, 0.01, 100);
  const tall = Math.tan((16 * Math.PI) / 180);
  const { center, distance } = fitView(POINTS, 0, azimuth, polar, tall * aspect, tall);
  camera.position.setFromSpherical(new Spherical(distance, polar, azimuth)).add(new Vector3(...center));
  camera.lookAt(new Vector3(...center));
  camera.updateMatrixWorld();
  const places = POINTS.map((point) => new Vector3(...point).project(camera));
  const farthest = Math.max(...places.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
  expect(farthest).toBeCloseTo(1, 6);
});

it("goes back for room around them", () => {
  const distance = (room: number) => fitView(POINTS, room, 0.4, 1.2, 0.5, 0.3).distance;
  expect(distance(0.3)).toBeGreaterThan(distance(0) + 0.5);
});
