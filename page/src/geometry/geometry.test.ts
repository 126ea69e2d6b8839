import { describe, expect, it } from "vitest";
import { styleBand } from "./band";
import { fitBall, findBoxCorners } from "./ball";
import { convexHull, insideHull } from "./hull";
import { smoothNormals } from "./normals";
import { rayLine, rayPlane, rayTriangles } from "./ray";
import { refineSurface, refineOnce } from "./refine";
import { applyRows, carrierRows, composeRows, rowCount } from "./rows";
import { softenValues } from "./soften";
import { boneSegments, nearestOnBone, nearestOnSegment } from "./segments";
import { distance, norm, rotate, toBody, toWorld, type Vec, type Vec2 } from "./vectors";
import type { BodyInfo } from "../wire/messages";

/** float32 keeps seven digits. */
const SINGLE = 5;

function close(found: ArrayLike<number>, wanted: number[], digits = SINGLE): void {
  expect(found.length).toBe(wanted.length);
  wanted.forEach((value, k) => expect(found[k]).toBeCloseTo(value, digits));
}

describe("skinning", () => {
  const carriers = Uint32Array.from([0, 1, 2, 3, 2, 2, 0, 0]);
  const weights = Float32Array.from([0.1, 0.2, 0.3, 0.4, 0.25, 0.25, 0.5, 0]);
  const nodes = Float32Array.from([1, 0, 0, 0, 2, 0, 0, 0, 4, 8, 8, 8]);

  it("is the weighted sum of the nodes", () => {
    const out = new Float32Array(6);
    applyRows(carrierRows(carriers, weights), nodes, out);
    close(out, [0.1 + 3.2, 0.4 + 3.2, 1.2 + 3.2, 0.5, 0, 2]);
  });

  it("begins anywhere in the array", () => {
    const later = new Float32Array(6 + nodes.length);
    later.set(nodes, 6);
    const [a, b] = [new Float32Array(6), new Float32Array(6)];
    applyRows(carrierRows(carriers, weights), nodes, a);
    applyRows(carrierRows(carriers, weights), later, b, 6);
    expect([...b]).toEqual([...a]);
  });

  it("composes: twice by rows is once by their product", () => {
    const inner = carrierRows(carriers, weights);
    const outer = carrierRows(Uint32Array.from([0, 1, 1, 0]), Float32Array.from([0.5, 0.25, 0.25, 0]));
    const [step, twice, once] = [new Float32Array(6), new Float32Array(3), new Float32Array(3)];
    applyRows(inner, nodes, step);
    applyRows(outer, step, twice);
    applyRows(composeRows(outer, inner), nodes, once);
    close(once, [...twice]);
  });
});

describe("normals", () => {
  it("of a flat square point up, of a folded one between", () => {
    const out = new Float32Array(12);
    const square = Float32Array.from([0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0]);
    smoothNormals(square, Uint32Array.from([0, 1, 2, 0, 2, 3]), out);
    close(out, [0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]);
    square[1 * 3 + 1] = 1;
    smoothNormals(square, Uint32Array.from([0, 1, 2, 0, 2, 3]), out);
    expect(norm([out[0] as number, out[1] as number, out[2] as number])).toBeCloseTo(1, SINGLE);
    expect(out[0]).not.toBeCloseTo(0, 2);
  });
});

describe("subdivision", () => {
  const octahedron = Uint32Array.from([0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5]);
  const corners = Float32Array.from([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]);

  it("gives four triangles for one and a vertex for each edge", () => {
    const step = refineOnce(6, octahedron);
    expect(step.triangles.length).toBe(4 * octahedron.length);
    expect(step.nearest.length).toBe(6 + 12);
  });

  it("averages: weights of every vertex sum to one", () => {
    const { rows } = refineSurface(6, octahedron, 2000);
    for (let k = 0; k < rowCount(rows); k++) {
      const sum = rows.value.subarray(rows.start[k], rows.start[k + 1]).reduce((a, b) => a + b, 0);
      expect(sum).toBeCloseTo(1, SINGLE);
    }
  });

  it("follows Loop's rules: corners of four neighbours keep 5/8, edges take 3/8 of both ends", () => {
    const { rows } = refineOnce(6, octahedron);
    const out = new Float32Array(3 * rowCount(rows));
    applyRows(rows, corners, out);
    close(out.subarray(0, 3), [0.625, 0, 0]);
    // The first edge goes from corner 0 to corner 2.
    close(out.subarray(18, 21), [0.375, 0.375, 0]);
  });

  it("stops before there are too many", () => {
    expect(refineSurface(6, octahedron, 31).triangles.length).toBe(octahedron.length);
    expect(refineSurface(6, octahedron, 32).triangles.length).toBe(4 * octahedron.length);
  });

  it("keeps the border of an open surface on the border", () => {
    const { rows } = refineOnce(4, Uint32Array.from([0, 1, 2, 0, 2, 3]));
    const out = new Float32Array(3 * rowCount(rows));
    applyRows(rows, Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), out);
    close(out.subarray(0, 3), [0.125, 0.125, 0]);
  });
});

function body(name: string, parent: number, place: Vec): BodyInfo {
  return { name, parent, character: 0, place, mass: 1, joint: name, kind: "revolute", v: 0, nv: 1, turns: [true], loose: false, limits: [], effort: [], stiffness: [], damping: [], axis: null };
}

describe("bones", () => {
  const rod = Float32Array.from([0, 0.1, 0, 0, -0.1, 0, 2, 0.1, 0, 2, -0.1, 0]);

  it("reach from their joint to those of their children", () => {
    const segments = boneSegments([body("a", -1, [0, 0, 0]), body("b", 0, [0, 1, 0]), body("c", 0, [1, 0, 0])], () => []);
    expect(segments[0]).toEqual([[[0, 0, 0], [0, 1, 0]], [[0, 0, 0], [1, 0, 0]]]);
  });

  it("without children reach to the end of their shape", () => {
    const [segments] = boneSegments([body("a", -1, [0, 0, 0])], () => [{ points: rod }]);
    const [a, b] = (segments as [Vec, Vec][])[0] as [Vec, Vec];
    close(a, [0, 0, 0]);
    close(b, [2, 0, 0]);
  });

  it("with the joint in the middle of the shape reach through all of it", () => {
    const middle = rod.map((value, k) => (k % 3 === 0 ? value - 1 : value));
    const [segments] = boneSegments([body("a", -1, [0, 0, 0])], () => [{ points: middle }]);
    const [a, b] = (segments as [Vec, Vec][])[0] as [Vec, Vec];
    expect(distance(a, b)).toBeCloseTo(2, SINGLE);
  });

  it("are held at their nearest point", () => {
    expect(nearestOnSegment([0.5, 3, 0], [[0, 0, 0], [1, 0, 0]])).toEqual([0.5, 0, 0]);
    expect(nearestOnSegment([-2, 3, 0], [[0, 0, 0], [1, 0, 0]])).toEqual([0, 0, 0]);
    expect(nearestOnSegment([9, 3, 0], [[0, 0, 0], [1, 0, 0]])).toEqual([1, 0, 0]);
    const star: [Vec, Vec][] = [[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]]];
    expect(nearestOnBone([0.1, 0.7, 0], star)).toEqual([0, 0.7, 0]);
  });

  it("turn with their body: there and back is the same point", () => {
    const half = Math.sqrt(0.5);
    const poses = [9, 9, 9, 0, 0, 0, 1, 1, 2, 3, 0, 0, half, half];
    close(toWorld(poses, 1, [1, 0, 0]), [1, 3, 3]);
    close(toBody(poses, 1, toWorld(poses, 1, [0.3, -0.2, 0.7])), [0.3, -0.2, 0.7]);
    close(rotate([half, 0, 0, half], 0, [0, 1, 0]), [0, 0, 1]);
  });

  it("have boxes around them", () => {
    const corners = findBoxCorners([0, 0, 0, 1, 2, -3, 0.5, 1, 0]);
    expect(corners.length).toBe(8);
    expect(corners).toContainEqual([1, 2, -3]);
    expect(corners).toContainEqual([0, 2, 0]);
  });

  it("fit into a ball", () => {
    const ball = fitBall([[0, 0, 0], [2, 0, 0], [1, 1, 0]]);
    close(ball.center, [1, 0.5, 0]);
    for (const point of [[0, 0, 0], [2, 0, 0], [1, 1, 0]] as Vec[]) expect(distance(point, ball.center)).toBeLessThanOrEqual(ball.radius + 1e-12);
  });
});

describe("softening", () => {
  it("spreads over neighbours, keeps what is even and what is alone", () => {
    const strip = Uint32Array.from([0, 1, 2, 1, 3, 2]);
    const values = Float32Array.from([1, 0, 0, 0, 1]);
    softenValues(values, strip, 1);
    close(values, [1 / 3, 1 / 6, 1 / 6, 0, 1]);
    const even = Float32Array.from([1, 1, 1, 1, 0]);
    softenValues(even, strip, 3);
    close(even, [1, 1, 1, 1, 0]);
  });
});

describe("support", () => {
  const points: Vec2[] = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]];

  it("is the convex hull, without points inside or on a side", () => {
    expect(convexHull(points)).toEqual([[0, 0], [2, 0], [2, 2], [0, 2]]);
  });

  it("holds what is inside and not what is outside", () => {
    const hull = convexHull(points);
    expect(insideHull([1, 1.9], hull)).toBe(true);
    expect(insideHull([1, 2.1], hull)).toBe(false);
    expect(insideHull([-0.01, 1], hull)).toBe(false);
  });

  it("is nothing on a line or a point", () => {
    expect(insideHull([1, 0], convexHull([[0, 0], [1, 0], [2, 0]]))).toBe(false);
    expect(insideHull([0, 0], convexHull([[0, 0]]))).toBe(false);
  });
});

describe("rays", () => {
  const ray = { origin: [0, 0, 5] as Vec, direction: [0, 0, -1] as Vec };
  const square = Float32Array.from([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, -1, -1, -3, 1, -1, -3, 1, 1, -3, -1, 1, -3]);

  it("meet planes in front and not behind", () => {
    expect(rayPlane(ray, [7, 7, 1], [0, 0, 1])).toEqual([0, 0, 1]);
    expect(rayPlane(ray, [0, 0, 6], [0, 0, 1])).toBeNull();
    expect(rayPlane(ray, [1, 0, 0], [1, 0, 0])).toBeNull();
  });

  it("come nearest to a line at one point", () => {
    close(rayLine({ origin: [0.4, 0.6, 5], direction: [0, 0, -1] }, [2, 0, 1], [0, 1, 0]) as Vec, [2, 0.6, 1]);
    expect(rayLine(ray, [1, 0, 0], [0, 0, 1])).toBeNull();
  });

  it("hit the nearest triangle, from either side", () => {
    const triangles = Uint32Array.from([4, 5, 6, 4, 6, 7, 0, 1, 2, 0, 2, 3]);
    const found = rayTriangles({ origin: [0.5, 0.2, 5], direction: [0, 0, -1] }, square, triangles);
    expect(found?.triangle).toBe(2);
    expect(found?.distance).toBeCloseTo(5, SINGLE);
    expect(rayTriangles({ origin: [0.5, 0.2, -9], direction: [0, 0, 1] }, square, triangles)?.triangle).toBe(0);
    expect(rayTriangles({ origin: [1.5, 0, 5], direction: [0, 0, -1] }, square, triangles)).toBeNull();
  });
});

describe("bands", () => {
  it("grow thin and tense with the gap, up to a bound", () => {
    const [slack, tense, torn] = [styleBand(0, 1), styleBand(0.5, 1), styleBand(7, 1)];
    expect(slack.tension).toBe(0);
    expect(tense.tension).toBeCloseTo(0.5);
    expect(torn.tension).toBe(1);
    expect(slack.width).toBeGreaterThan(tense.width);
    expect(torn.width).toBeGreaterThan(1);
  });
});
