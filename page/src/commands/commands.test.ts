import { describe, expect, it } from "vitest";
import { dragging } from "../store/edit/state";
import { entering } from "../store/workspace";
import { doc, status, welcome } from "../store";
import { link } from "../wire/connection";
import type { Document, Status, Welcome } from "../wire/messages";
import { belongsElsewhere } from ".";
import { findCommand, listCommands, registerCommands, runCommand } from "./registry";

/** A key press at an element that matches the given selectors, and stands inside others. */
function press(key: string, matching: string[], inside: string[] = []): KeyboardEvent {
  const has = (list: string[]) => (selector: string) => list.some((one) => selector.split(", ").includes(one));
  const target = { matches: has(matching), closest: (selector: string) => (has(inside)(selector) ? {} : null) };
  return { key, target, isComposing: false } as unknown as KeyboardEvent;
}

describe("a key", () => {
  it("belongs to the studio, unless a field, a dialog or a control that was reached by keys wants it", () => {
    expect(belongsElsewhere(press("k", []), true)).toBe(false);
    expect(belongsElsewhere(press("k", ["textarea"]), false)).toBe(true);
    expect(belongsElsewhere(press("k", ["button"]), true)).toBe(false);
    expect(belongsElsewhere(press(" ", ["button"]), true)).toBe(true);
    // A button that was clicked has the focus too, but Space goes on being play.
    expect(belongsElsewhere(press(" ", ["button"]), false)).toBe(false);
    expect(belongsElsewhere(press("k", ["button"], ["dialog"]), false)).toBe(true);
    expect(belongsElsewhere({ ...press("k", []), isComposing: true } as KeyboardEvent, true)).toBe(true);
  });
});

describe("where joints move by themselves", () => {
  it("tools that need somebody to direct say why they cannot be used", () => {
    link.value = "open";
    welcome.value = { page: 1 } as Welcome;
    status.value = { director: 1 } as Status;
    const tools = ["mode.pose", "mode.pin", "keys.set", "keys.auto", "time.ahead", "help.tour"];
    const reasons = () => tools.map((id) => findCommand(id).blocked?.() ?? "");
    expect(reasons()).toEqual(tools.map(() => ""));
    doc.value = { supports: [] as string[] } as Document;
    for (const reason of reasons()) expect(reason).not.toBe("");
    [link.value, welcome.value, status.value, doc.value] = ["lost", null, null, null];
  });

  it("nobody leaves the editor while a body is held", () => {
    dragging.value = true;
    link.value = "open";
    [welcome.value, status.value] = [{ page: 1 } as Welcome, { director: 1 } as Status];
    for (const id of ["edit.enter", "edit.keep", "edit.leave"]) expect(findCommand(id).blocked?.()).toBeTruthy();
    expect(findCommand("edit.enter").blocked?.()).toContain("Let go");
    dragging.value = false;
    [link.value, welcome.value, status.value] = ["lost", null, null];
  });
});

describe("commands", () => {
  it("are there", () => {
    for (const id of ["time.play", "keys.set", "project.undo"]) expect(findCommand(id).id).toBe(id);
    expect(listCommands().length).toBeGreaterThan(30);
  });

  it("have a title and a sentence of help", () => {
    for (const { id, title, help } of listCommands()) {
      expect(title.trim(), id).not.toBe("");
      expect(help, id).toMatch(/^[A-Z].*[.?]$/);
    }
  });

  it("share no key within a workspace", () => {
    for (const here of ["direct", "edit"]) {
      const owners = new Map<string, string>();
      for (const { id, keys, where } of listCommands()) {
        for (const key of where === undefined || where === here ? (keys ?? []) : []) {
          const normal = key.split("+").sort().join("+").replace("Control", "$mod");
          expect(owners.get(normal), `${key} of ${id}, in ${here}`).toBeUndefined();
          owners.set(normal, id);
        }
      }
    }
  });

  it("of the other workspace are blocked, and say where they belong", () => {
    expect(findCommand("edit.solve").blocked?.()).toContain("Edit workspace");
    expect(findCommand("time.play").blocked?.()).not.toContain("Edit workspace");
    entering.value = true;
    expect(findCommand("time.play").blocked?.()).toContain("belongs to directing");
    expect(findCommand("edit.loop").blocked?.()).toBe("");
    expect(findCommand("mode.pin").title).toBe("Nail");
    entering.value = false;
    expect(findCommand("mode.pin").title).toBe("Pin");
  });

  it("cannot be registered twice, and do nothing while blocked", () => {
    expect(() => registerCommands(findCommand("time.play"))).toThrow("two commands");
    let ran = 0;
    let why = "not now";
    registerCommands({ id: "test.blocked", title: "T", group: "Help", help: "H.", run: () => (ran += 1), blocked: () => why });
    expect(runCommand("test.blocked")).toBe(false);
    why = "";
    expect(runCommand("test.blocked")).toBe(true);
    expect(ran).toBe(1);
  });
});
