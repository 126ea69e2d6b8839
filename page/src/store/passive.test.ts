import { beforeEach, expect, it, vi } from "vitest";

vi.mock("../wire/connection", () => ({ ask: vi.fn(), connect: vi.fn(), link: { value: "open" }, send: vi.fn(), Refused: class extends Error {} }));
const { doc, scene } = await import(".");
const { arePassive: areLimp, findTargetJoints: jointsMeant } = await import("./passive");

type Scene = NonNullable<typeof scene.value>;
type Document = NonNullable<typeof doc.value>;

const joint = (name: string, state: string) => ({ name, state, weight: 1, stiffness: 0, damping: 0 });

beforeEach(() => {
  const bodies = ["root", "arm", "hand"].map((name) => ({ name, joint: `${name}_joint`, character: 0 }));
  const characters = [{ name: "root", root: 0, bodies: [0, 1, 2], size: 1, root_free: true }];
  scene.value = { characters, bodies: [...bodies, { name: "ball", joint: "ball_joint", character: -1 }] } as unknown as Scene;
  doc.value = { joints: [joint("root_joint", "free"), joint("arm_joint", "directed"), joint("hand_joint", "passive")] } as unknown as Document;
});

it("a click on a bone is about its own joint", () => {
  expect(jointsMeant(1, false)).toEqual({ joints: ["arm_joint"], whole: false });
});

it("with Shift, or on a root that has none, about all of the character", () => {
  expect(jointsMeant(1, true)).toEqual({ joints: ["arm_joint", "hand_joint"], whole: true });
  expect(jointsMeant(0, false)).toEqual({ joints: ["arm_joint", "hand_joint"], whole: true });
});

it("they are limp if every one of them is", () => {
  expect(areLimp(["hand_joint"])).toBe(true);
  expect(areLimp(["arm_joint", "hand_joint"])).toBe(false);
  doc.value = { joints: [joint("arm_joint", "free"), joint("hand_joint", "passive")] } as unknown as Document;
  expect(areLimp(["arm_joint", "hand_joint"])).toBe(true);
  expect(areLimp([])).toBe(false);
});
