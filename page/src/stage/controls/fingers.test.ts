/** Two fingers on a character, each of which takes a bone, whatever comes between. */

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Frame } from "../../wire/frames";
import type { FromPage, Scene } from "../../wire/messages";

let [sent, answered]: [FromPage[], number] = [[], 0];
vi.mock("../../wire/connection", async (original) => ({
  ...(await original<object>()),
  send: (message: FromPage) => (sent.push(message), true),
  ask: (message: FromPage) => (sent.push(message), Promise.resolve(++answered)),
}));

const { newest, scene, status, welcome } = await import("../../store");
const { grabs } = await import("../../store/grabs");
const { link } = await import("../../wire/connection");
const { DirectControls } = await import("./directing");

/** Bodies at x = 0 and 1, which are under the pixels 0 and 100. */
const frame = { poses: Float32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1), center: new Float32Array(4), goals: new Float32Array() } as unknown as Frame;
const bodies = [0, 1].map((k) => ({ name: `bone_${k}`, character: 0, kind: "ball", parent: -1 }));
const told = (epoch: number) => ({ epoch, bodies, characters: [{ root: 0, root_free: true }] }) as unknown as Scene;
const square = { points: Float32Array.of(-0.1, -0.1, 0, 0.1, -0.1, 0, 0.1, 0.1, 0, -0.1, 0.1, 0), triangles: Uint32Array.of(0, 1, 2, 0, 2, 3), ball: { center: [0, 0, 0], radius: 0.2 } };

class FakeCanvas extends EventTarget {
  style = {};
  setPointerCapture(): void {}
}

function makeViewer() {
  return {
    canvas: new FakeCanvas(),
    stage: { add() {}, remove() {} },
    before: new Set<() => void>(),
    camera: { choose() {} },
    figure: {},
    world: { size: 1, skin: null, segments: [[], []], shapes: [0, 1].map((body) => ({ body, covered: false, form: square })) },
    forward: [0, 0, -1],
    coveredShown: true,
    get moment() {
      return newest.frame;
    },
    surfacePositions: () => null,
    ray: (x: number, y: number) => ({ origin: [x / 100, -y / 100, 5], direction: [0, 0, -1] }),
    invalidate() {},
  };
}

let viewer: ReturnType<typeof makeViewer>;
let controls: InstanceType<typeof DirectControls>;

const touch = (type: string, pointerId: number, clientX: number, clientY: number) =>
  viewer.canvas.dispatchEvent(Object.assign(new Event(type), { pointerId, clientX, clientY, pointerType: "touch", button: 0 }));
const draw = () => viewer.before.forEach((hook) => hook());
const taken = () => sent.flatMap((message) => (message.type === "grab" ? [message.bone] : []));

beforeEach(() => {
  [sent, answered] = [[], 0];
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  link.value = "open";
  welcome.value = { page: 1 } as never;
  status.value = { director: 1 } as never;
  scene.value = told(1);
  newest.frame = frame;
  viewer = makeViewer();
  controls = new DirectControls(viewer as never);
});
afterEach(() => {
  controls.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("take a bone each", () => {
  touch("pointerdown", 2, 0, 0);
  touch("pointerdown", 3, 100, 0);
  touch("pointermove", 2, 0, -20);
  touch("pointermove", 3, 100, -20);
  draw();
  expect(taken()).toEqual(["bone_0", "bone_1"]);
  expect(sent.filter(({ type }) => type === "move")).toHaveLength(2);
  touch("pointerup", 2, 0, -20);
  expect([...grabs.values()].map(({ body }) => body)).toEqual([1]);
});

it.each(["moves", "rests"])("take a bone each if the first brings another scene, and the second %s before there is a picture of it", (what) => {
  touch("pointerdown", 2, 0, 0);
  touch("pointerdown", 3, 100, 0);
  touch("pointermove", 2, 0, -20);
  // Who looked at a moment of an earlier scene goes on from there.
  [newest.frame, scene.value] = [null, told(2)];
  if (what === "moves") touch("pointermove", 3, 100, -20);
  else vi.advanceTimersByTime(500);
  draw();
  expect(taken()).toEqual(["bone_0"]);
  newest.frame = frame;
  draw();
  expect(taken()).toEqual(["bone_0", "bone_1"]);
});
