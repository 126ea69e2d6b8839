import { describe, expect, it } from "vitest";
import type { BodyInfo, FleshInfo } from "../../wire/messages";
import { explainUneditable } from "./actions";

const body = (parent: number) => ({ parent }) as BodyInfo;

describe("a motion can be edited", () => {
  const one = { bodies: [body(-1), body(0)], flesh: null, loops: 0 };
  it("of one character of bare bones", () => {
    expect(explainUneditable(one)).toBe("");
  });
  it("and else it is said why not", () => {
    expect(explainUneditable({ ...one, flesh: {} as FleshInfo })).toContain("flesh");
    expect(explainUneditable({ ...one, bodies: [body(-1), body(-1)] })).toContain("one character alone");
    expect(explainUneditable({ ...one, bodies: [] })).toContain("Nothing moves");
    expect(explainUneditable({ ...one, loops: 2 })).toContain("ring");
  });
});
