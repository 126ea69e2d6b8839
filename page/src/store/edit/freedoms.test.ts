import { describe, expect, it } from "vitest";
import { canChange, isAllowed, listFreedoms, toggleFreedom } from "./freedoms";
import { lockWords } from "./locks";
import { listAttributes, listCells, isLocked, shareFree, willLock } from "./masks";

describe("what may change", () => {
  const bodies = [
    { name: "root", turns: [true, true, true, false, false, false] },
    { name: "arm", turns: [true] },
    { name: "slide", turns: [false] },
    { name: "plate", turns: [] as boolean[] },
  ];

  it("follows from what the joint does", () => {
    expect(bodies.map((body) => listAttributes(body).length)).toEqual([4, 2, 2, 0]);
    expect(listAttributes({ turns: [false, false, false] })).toEqual(["position", "velocity"]);
    expect(listCells(bodies)).toHaveLength(8);
  });

  it("is locked for a body or for all", () => {
    const locked = [["rotation", ""], ["velocity", "root"]] as [string, string][];
    expect(isLocked(locked, "rotation", "arm")).toBe(true);
    expect(isLocked(locked, "velocity", "root")).toBe(true);
    expect(isLocked(locked, "velocity", "slide")).toBe(false);
    expect(shareFree(locked, [["rotation", "arm"], ["angular velocity", "arm"]])).toBe("some");
    expect(shareFree(locked, [["rotation", "arm"]])).toBe("none");
    expect([willLock("some"), willLock("none")]).toEqual([true, false]);
  });

  it("is locked in as few words as possible", () => {
    const every = listCells(bodies);
    expect(lockWords(every, every)).toEqual([{ attributes: ["position", "velocity", "rotation", "angular velocity"], body: null }]);
    expect(lockWords([["rotation", "arm"]], every)).toEqual([{ attributes: ["rotation"], body: "arm" }]);
    const arm = every.filter(([, body]) => body === "arm");
    expect(lockWords(arm, every)).toEqual([{ attributes: ["rotation", "angular velocity"], body: "arm" }]);
    expect(lockWords(every.filter(([name]) => name === "rotation"), every)).toEqual([{ attributes: ["rotation"], body: null }]);
  });

  it("is offered where it makes sense", () => {
    const options = { gravity: true, times: false, push: false, muscles: {} };
    expect(listFreedoms(options, 0).map(({ name }) => name)).toEqual(["gravity", "muscles"]);
    expect(listFreedoms(options, 2).map(({ name }) => name)).toEqual(["times", "push", "gravity", "muscles"]);
    const bodies = new Set(["rotation"]);
    expect(["rotation", "position", "gravity", "muscle"].map((name) => canChange(name, bodies, options))).toEqual([true, false, true, false]);
  });

  it("has muscles joint by joint", () => {
    expect(toggleFreedom("gravity", true, [])).toBe(true);
    expect(Object.keys(toggleFreedom("muscles", true, ["elbow"]) as object)).toEqual(["elbow"]);
    expect(isAllowed(toggleFreedom("muscles", false, ["elbow"]))).toBe(false);
    expect([isAllowed({ elbow: 6 }), isAllowed([]), isAllowed(true)]).toEqual([true, false, true]);
  });
});
