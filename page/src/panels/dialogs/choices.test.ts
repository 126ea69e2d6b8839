import { describe, expect, it } from "vitest";
import { chooseOffer, needsNothing, projectOffers, type Offer } from "./choices";

const offer = (id: string, title: string, also = ""): Offer => ({ id, title, also, group: "", keys: "", blocked: "", run: () => {} });
const ids = (query: string, offers: Offer[], recent: string[] = []) => chooseOffer(query, offers, recent).map((found) => found.offer.id);

describe("needsNothing", () => {
  it("is true if every argument has a default", () => {
    expect(needsNothing("")).toBe(true);
    expect(needsNothing("joints=None, **options")).toBe(true);
    expect(needsNothing("place=(0, 0, 1), *, names=['a', 'b']")).toBe(true);
  });
  it("is false if one has none", () => {
    expect(needsNothing("goal")).toBe(false);
    expect(needsNothing("track, time, pose=None")).toBe(false);
  });
});

describe("projectOffers", () => {
  it("offers what needs nothing and has no better way", () => {
    const infos = [
      { name: "release_all", summary: "Let all goals go.", signature: "" },
      { name: "undo", summary: "Undo.", signature: "" },
      { name: "release_goal", summary: "Let a goal go.", signature: "goal" },
    ];
    expect(projectOffers(infos, "", () => {}).map(({ title }) => title)).toEqual(["Let all goals go"]);
  });
});

describe("chosen", () => {
  const all = [offer("a", "Step forward"), offer("b", "Save as", "write a copy"), offer("c", "Slow motion")];
  it("shows what was used last first while nothing is typed", () => {
    expect(ids("", all, ["c", "b"])).toEqual(["c", "b", "a"]);
  });
  it("shows what cannot be done last", () => {
    expect(ids("", [{ ...offer("x", "X"), blocked: "not now" }, ...all], ["x"])).toEqual(["a", "b", "c", "x"]);
  });
  it("prefers what was used if two fit alike", () => {
    expect(ids("s", all)[0]).toBe("b");
    expect(ids("s", all, ["c"])[0]).toBe("c");
  });
  it("finds by other words, after all titles", () => {
    expect(ids("copy", all)).toEqual(["b"]);
  });
});
