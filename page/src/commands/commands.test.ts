import { describe, expect, it } from "vitest";
import "./index";
import { command, commands, register, run } from "./registry";

describe("commands", () => {
  it("are there", () => {
    for (const id of ["time.play", "keys.set", "project.undo"]) expect(command(id).id).toBe(id);
    expect(commands().length).toBeGreaterThan(30);
  });

  it("have a title and a sentence of help", () => {
    for (const { id, title, help } of commands()) {
      expect(title.trim(), id).not.toBe("");
      expect(help, id).toMatch(/^[A-Z].*[.?]$/);
    }
  });

  it("share no key", () => {
    const owners = new Map<string, string>();
    for (const { id, keys } of commands()) {
      for (const key of keys ?? []) {
        const normal = key.split("+").sort().join("+").replace("Control", "$mod");
        expect(owners.get(normal), `${key} of ${id}`).toBeUndefined();
        owners.set(normal, id);
      }
    }
  });

  it("cannot be registered twice, and do nothing while blocked", () => {
    expect(() => register(command("time.play"))).toThrow("two commands");
    let ran = 0;
    let why = "not now";
    register({ id: "test.blocked", title: "T", group: "Help", help: "H.", run: () => (ran += 1), blocked: () => why });
    expect(run("test.blocked")).toBe(false);
    why = "";
    expect(run("test.blocked")).toBe(true);
    expect(ran).toBe(1);
  });
});
