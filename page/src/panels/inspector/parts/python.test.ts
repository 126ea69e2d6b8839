import { describe, expect, it } from "vitest";
import { colourPython } from "./python";

const shown = (line: string) => colourPython(line).map(({ kind, text }) => [kind, text]);

describe("colour", () => {
  it("tells calls, names, texts and numbers apart", () => {
    expect(shown("project.do('drag', bone='head', weight=1.5e-3)")).toEqual([
      ["plain", "project."],
      ["call", "do"],
      ["plain", "("],
      ["text", "'drag'"],
      ["plain", ", "],
      ["name", "bone"],
      ["plain", "="],
      ["text", "'head'"],
      ["plain", ", "],
      ["name", "weight"],
      ["plain", "="],
      ["number", "1.5e-3"],
      ["plain", ")"],
    ]);
  });
  it("knows words of the language and comments", () => {
    expect(shown("with x: # not 'text'")).toEqual([
      ["word", "with"],
      ["plain", " x: "],
      ["comment", "# not 'text'"],
    ]);
  });
  it("does not end a text at a quote that is escaped, nor take a number out of a name", () => {
    expect(shown(`'it\\'s' + bone_3`)).toEqual([
      ["text", `'it\\'s'`],
      ["plain", " + bone_3"],
    ]);
  });
  it("loses nothing, whatever the line", () => {
    for (const line of ["", "'open", "a==b", "f(x)(y)", "-1_000.5", "#", "λ = 'π'"]) {
      expect(colourPython(line).map(({ text }) => text).join("")).toBe(line);
    }
  });
});
