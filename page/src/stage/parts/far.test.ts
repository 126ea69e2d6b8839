import { Matrix4, PerspectiveCamera, Quaternion, Vector3 } from "three";
import { expect, it } from "vitest";
import { findBoxCorners } from "../../geometry/ball";
import type { Form } from "../world";
import { Boxes, ViewCone } from "./far";

const camera = new PerspectiveCamera(90, 1, 0.1, 1000);
camera.position.set(0, 0, 10);
const look = new ViewCone().aim(camera, 100);

it("a ball is drawn by how large it is in the picture", () => {
  // At this angle and a depth of 10 m, a pixel of a hundred is 0.2 m.
  expect(look.at(0, 0, 0, 1)).toBe("near");
  expect(look.at(0, 0, 0, 0.8)).toBe("far");
  expect(look.at(0, 0, 0, 0.05)).toBe("not");
  expect(look.at(0, 0, -90, 2)).toBe("far");
});

it("what is out of sight is not drawn, what reaches in is", () => {
  expect(look.at(0, 0, 20, 2)).toBe("not");
  expect(look.at(15, 0, 0, 2)).toBe("not");
  expect(look.at(11, 0, 0, 2)).toBe("near");
});

it("a box has the corners of the box of its form, where the body is", () => {
  const points = Float32Array.from([-0.1, 0, 0.2, 0.3, 1, 0.4]);
  const form = { points, corners: findBoxCorners(points) } as unknown as Form;
  const place = new Matrix4().compose(new Vector3(1, 2, 3), new Quaternion(0.5, -0.5, 0.5, 0.5), new Vector3(1, 1, 1));
  const boxes = new Boxes(2);
  boxes.begin();
  boxes.put(form, Float32Array.from([0, 0, ...place.elements]), 2, Float32Array.from([9, 0.1, 0.2, 0.3]), 1);
  boxes.end();
  expect(boxes.count).toBe(1);
  const places = boxes.geometry.getAttribute("position");
  // The first corner is the lowest along all axes of the form, the seventh the highest.
  for (const [vertex, k] of [[0, 0], [6, 7]] as const) {
    const corner = new Vector3().fromBufferAttribute(places, vertex);
    const expected = new Vector3(...(form.corners[k] as [number, number, number])).applyMatrix4(place);
    expect(corner.distanceTo(expected)).toBeLessThan(1e-5);
  }
  expect(Array.from(boxes.geometry.getAttribute("color").array).slice(0, 4)).toEqual([25, 51, 76, 255]);
  expect(boxes.geometry.drawRange.count).toBe(36);
});
