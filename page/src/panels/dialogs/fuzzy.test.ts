import { describe, expect, it } from "vitest";
import { holds, match, rank, search } from "./fuzzy";

const order = (query: string, texts: string[]) => rank(query, texts, (text) => text).map(({ thing }) => thing);

describe("match", () => {
  it("needs every letter in its order", () => {
    expect(match("wj", "worm jump")).not.toBeNull();
    expect(match("jw", "worm jump")).toBeNull();
    expect(match("worms", "worm")).toBeNull();
  });
  it("says which letters it found, preferring the beginnings of words", () => {
    expect(match("wj", "worm jump")?.places).toEqual([0, 5]);
    expect(match("ju", "banjo jump")?.places).toEqual([6, 7]);
  });
  it("takes no notice of case and spaces", () => {
    expect(match("Save AS", "save as")?.score).toBe(match("saveas", "Save as")?.score);
  });
  it("fits everything if nothing is asked", () => {
    expect(match("", "anything")).toEqual({ score: 0, places: [] });
  });
});

describe("rank", () => {
  it("puts beginnings of words before letters inside", () => {
    expect(order("pin", ["Spinning top", "Pin a bone", "Keep in view"])[0]).toBe("Pin a bone");
  });
  it("puts letters side by side before scattered ones", () => {
    expect(order("key", ["Keep eyes", "Set a key"])).toEqual(["Set a key", "Keep eyes"]);
  });
  it("puts the whole word first, then the longer text", () => {
    expect(order("worm", ["worm_tilted", "worm"])).toEqual(["worm", "worm_tilted"]);
  });
  it("keeps the order of what fits alike", () => {
    expect(order("", ["b", "a"])).toEqual(["b", "a"]);
  });
  it("finds initials", () => {
    expect(order("sa", ["Step back", "Save as"])).toEqual(["Save as", "Step back"]);
  });
});

describe("search", () => {
  it("wants whole words in long texts", () => {
    expect(holds("left fin", "The fin is left behind.")).toBe(true);
    expect(holds("lfb", "The fin is left behind.")).toBe(false);
  });
  it("puts titles first", () => {
    const things = [
      ["Lamp", "a worm may hop on it"],
      ["Worm", "crawls"],
    ];
    expect(search("worm", things, (thing) => thing[0] as string, (thing) => thing[1] as string)).toEqual([things[1], things[0]]);
  });
});
