import { beforeAll, describe, expect, it } from "vitest";
import { welcome } from "../../store";
import type { FormatInfo, Welcome } from "../../wire/messages";
import { accepted, addProjectEnding, baseName, explainBadName, explainRefusal, findMainFile, folderOf, inFolder, kindOf } from "./files";

function format(kind: FormatInfo["kind"], suffixes: string[], written = false): FormatInfo {
  return { name: kind, kind, written, suffixes, description: "", media_type: kind === "mesh" ? "model/obj" : "" };
}

beforeAll(() => {
  const formats = [
    format("project", [".stringless"]),
    format("scene", [".toml"]),
    format("scene", [".urdf", ".xml"]),
    format("mesh", [".obj"]),
    format("motion", [".glb"], true),
  ];
  welcome.value = { page: 1, formats } as Welcome;
});

describe("accepted", () => {
  it("lets through all that the studio can open, and no more", () => {
    expect(accepted()).toBe(".stringless,.toml,.urdf,.xml,.obj,model/obj");
  });
});

describe("kindOf", () => {
  it("knows a file by its ending, in any case", () => {
    expect(kindOf("Jump.STRINGLESS")).toBe("project");
    expect(kindOf("robot.urdf")).toBe("file");
    expect(kindOf("scene.v2.toml")).toBe("file");
    expect(kindOf("arm.obj")).toBe("part");
    expect(kindOf("notes.txt")).toBe("unknown");
    expect(kindOf("take.glb")).toBe("unknown");
    expect(kindOf("noending")).toBe("unknown");
  });
});

describe("chief", () => {
  it("opens the project, else the scene, whatever comes along", () => {
    expect(findMainFile(["a.obj", "b.urdf"])).toBe("b.urdf");
    expect(findMainFile(["b.urdf", "a.stringless"])).toBe("a.stringless");
    expect(findMainFile(["a.obj"])).toBeNull();
  });
  it("says what was found and what is expected", () => {
    expect(explainRefusal(["b.urdf"])).toBe("");
    expect(explainRefusal(["cat.gif"])).toMatch(/cat\.gif.*\.stringless.*\.urdf/);
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
    expect(addProjectEnding(" jump ")).toBe("jump.stringless");
    expect(addProjectEnding("jump.stringless")).toBe("jump.stringless");
    expect(addProjectEnding("  ")).toBe("");
  });
});

it("says why a project cannot be called so", () => {
  expect(explainBadName("walk 2")).toBe("");
  expect(explainBadName("  ")).toContain("needs a name");
  expect(explainBadName("a/b")).toContain("cannot hold / or \\");
  expect(explainBadName("a\\b")).toContain("cannot hold");
  expect(explainBadName("x".repeat(100))).toBe("");
  expect(explainBadName("x".repeat(101))).toContain("at most 100");
});
