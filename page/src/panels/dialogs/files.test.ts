import { describe, expect, it } from "vitest";
import { baseName, chief, folderOf, inFolder, kindOf, objection, projectName, nameProblem } from "./files";

describe("kindOf", () => {
  it("knows a file by its ending, in any case", () => {
    expect(kindOf("Jump.STRINGLESS")).toBe("project");
    expect(kindOf("robot.urdf")).toBe("file");
    expect(kindOf("scene.v2.toml")).toBe("file");
    expect(kindOf("arm.obj")).toBe("part");
    expect(kindOf("notes.txt")).toBe("unknown");
    expect(kindOf("noending")).toBe("unknown");
  });
});

describe("chief", () => {
  it("opens the project, else the scene, whatever comes along", () => {
    expect(chief(["a.obj", "b.urdf"])).toBe("b.urdf");
    expect(chief(["b.urdf", "a.stringless"])).toBe("a.stringless");
    expect(chief(["a.obj"])).toBeNull();
  });
  it("says what was found and what is expected", () => {
    expect(objection(["b.urdf"])).toBe("");
    expect(objection(["cat.gif"])).toMatch(/cat\.gif.*\.stringless.*\.urdf/);
  });
});

describe("paths", () => {
  it("writes them as the folder is written", () => {
    expect(inFolder("/projects", "a")).toBe("/projects/a");
    expect(inFolder("/", "a")).toBe("/a");
    expect(inFolder("C:\\work", "a")).toBe("C:\\work\\a");
  });
  it("takes them apart", () => {
    expect(baseName("C:\\work\\a.toml")).toBe("a.toml");
    expect(folderOf("/projects/a.toml")).toBe("/projects");
  });
  it("gives a project its ending once", () => {
    expect(projectName(" jump ")).toBe("jump.stringless");
    expect(projectName("jump.stringless")).toBe("jump.stringless");
    expect(projectName("  ")).toBe("");
  });
});

it("says why a project cannot be called so", () => {
  expect(nameProblem("walk 2")).toBe("");
  expect(nameProblem("  ")).toContain("needs a name");
  expect(nameProblem("a/b")).toContain("cannot hold / or \\");
  expect(nameProblem("a\\b")).toContain("cannot hold");
  expect(nameProblem("x".repeat(100))).toBe("");
  expect(nameProblem("x".repeat(101))).toContain("at most 100");
});
