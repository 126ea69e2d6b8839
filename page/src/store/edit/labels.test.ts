import { describe, expect, it } from "vitest";
import type { NailInfo } from "../../wire/messages";
import { describeJointWeight, describeRestitution, describeWeight, findFanOffset, listKinds, nailError, nailName, nailTitle, shortenWarning } from "./labels";

const nail: NailInfo = { id: 1, kind: "point", body: "left_hand", time: 0.5, target: [1, 2, 3], point: [0, 0, 0], strength: 1, now: [1, 2, 2], place: [1, 2, 2], error: 1 };

describe("nails of one moment", () => {
  const [first, second, later] = [nail, { ...nail, id: 2 }, { ...nail, id: 3, time: 0.8 }];
  const all = [first, second, later];
  it("stand below each other, and are told apart", () => {
    expect(all.map((one) => findFanOffset(one, all))).toEqual([-0.5, 0.5, 0]);
    expect(all.map((one) => nailTitle(one, all))).toEqual(["Place · left hand (1)", "Place · left hand (2)", "Place · left hand"]);
    expect(nailTitle({ ...second, kind: "velocity" }, [first, { ...second, kind: "velocity" }])).toBe("Velocity · left hand");
  });
});

describe("a bounce", () => {
  it("is dead or elastic, or something between", () => {
    expect([0, 0.3, 0.6, 0.8, 1].map(describeRestitution)).toEqual(["dead", "dull", "lively", "springy", "elastic"]);
  });
});

describe("nails", () => {
  it("say how far they are off in their own unit", () => {
    expect(nailError(nail)).toBe("1.0 m");
    expect(nailError({ kind: "point", error: 0.0042 })).toBe("4.2 mm");
    expect(nailError({ kind: "rotation", error: Math.PI / 2 })).toBe("90°");
    expect(nailError({ kind: "velocity", error: 2 })).toBe("2.0 m/s");
    expect(nailName(nail)).toBe("Place · left hand");
    expect(nailName({ kind: "center", body: "root" })).toBe("Balance");
  });

  it("cannot bend what has no joint of its own", () => {
    expect(listKinds({ loose: true, nv: 6 }).map(({ name }) => name)).not.toContain("joint");
    expect(listKinds({ loose: false, nv: 1 }).map(({ name }) => name)).toContain("joint");
  });

  it("that are impossible are told without formulas", () => {
    const told = "what is wanted is impossible: 100% of the squared error would remain, expected 10% at most; the motion stays as it was.";
    expect(shortenWarning(told)).toBe("What is wanted is impossible; the motion stays as it was.");
    const slow = "what is wanted is impossible: the error would fall from 1.39 to 1.09, and then it hardly falls any more; the motion stays as it was.";
    expect(shortenWarning(slow)).toBe("What is wanted is impossible; the motion stays as it was.");
    expect(shortenWarning("")).toBe("");
  });
});

it("says in plain words how readily something is changed", () => {
  expect([0.01, 0.3, 1, 5, 100].map(describeJointWeight)).toEqual(["changed first", "rather changed", "as the others", "rather kept", "changed last"]);
});

it("says in plain words how much something counts", () => {
  expect([0.1, 0.5, 1, 2, 10].map(describeWeight)).toEqual(["little", "less", "normal", "more", "much"]);
});
