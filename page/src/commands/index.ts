/** Brings all groups of commands together and gives them their keys. */

import { tinykeys } from "tinykeys";
import { belongsHere, listCommands, runCommand, type PageCommand } from "./registry";

// Every other file here registers its group when it is loaded; a new one needs no line here.
import.meta.glob(["./*.ts", "!./index.ts", "!./registry.ts", "!./*.test.ts"], { eager: true });

type Handler = (event: Event) => void;

/** Where keys mean letters, not commands. */
const FIELDS = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]";
/** What a focused control does with these keys is what a person expects of it. */
const OWN_KEYS: Record<string, string> = {
  " ": "button, a, [role=switch], [role=option]",
  Enter: "button, a",
  ArrowLeft: "[role=radio], [role=tab], [role=slider], input[type=range]",
  ArrowRight: "[role=radio], [role=tab], [role=slider], input[type=range]",
  Home: "[role=slider], input[type=range]",
  End: "[role=slider], input[type=range]",
};

/**
 * Whether a key press belongs to what has the focus, or to a dialog, and not to the studio. A click leaves the focus on its
 * button: only a focus that was `reached` by keys has a claim on its own keys.
 */
export function belongsElsewhere(event: KeyboardEvent, reached: boolean): boolean {
  const target = event.target as Element | null;
  if (event.isComposing || !target?.matches) return event.isComposing;
  if (target.matches(FIELDS)) return true;
  const own = OWN_KEYS[event.key];
  if (own && reached && target.matches(own)) return true;
  return target.closest("dialog, [popover]") !== null;
}

/** Commands that may be repeated by holding their key. */
const REPEATED = new Set(["time.back", "time.forward", "edit.back", "edit.forward", "project.undo", "project.redo"]);

/** Commands by their keys; those of different workspaces may share one. */
function byKey(): Map<string, PageCommand[]> {
  const found = new Map<string, PageCommand[]>();
  for (const command of listCommands()) {
    for (const keys of command.keys ?? []) found.set(keys, [...(found.get(keys) ?? []), command]);
  }
  return found;
}

/** Install all keys; returns how to take them away again. */
export function installKeys(target: Window = window): () => void {
  let [byKeys, reached] = [false, false];
  const pointed = () => (byKeys = false);
  const typing = () => (byKeys = true);
  const focused = () => (reached = byKeys);
  target.addEventListener("pointerdown", pointed, true);
  target.addEventListener("keydown", typing, true);
  target.addEventListener("focusin", focused);
  const held = new Map<string, PageCommand>();
  const pressed: Record<string, Handler> = {};
  for (const [keys, sharing] of byKey()) {
    pressed[keys] = (event) => {
      const command = sharing.find(belongsHere);
      if (!command) return;
      event.preventDefault();
      if ((event as KeyboardEvent).repeat && !REPEATED.has(command.id)) return;
      if (runCommand(command.id) && command.end) held.set((event as KeyboardEvent).code, command);
    };
  }
  const release = (code: string) => {
    held.get(code)?.end?.();
    held.delete(code);
  };
  const up = (event: KeyboardEvent) => {
    release(event.code);
    // Some browsers press the focused button when Space goes up, whatever happened when it went down.
    if (event.key === " " && !belongsElsewhere(event, reached)) event.preventDefault();
  };
  // A window that loses the focus hears no key go up.
  const away = () => [...held.keys()].forEach(release);
  const remove = tinykeys(target, pressed, { ignore: (event) => belongsElsewhere(event as KeyboardEvent, reached) });
  target.addEventListener("keyup", up);
  target.addEventListener("blur", away);
  return () => {
    remove();
    target.removeEventListener("pointerdown", pointed, true);
    target.removeEventListener("keydown", typing, true);
    target.removeEventListener("focusin", focused);
    target.removeEventListener("keyup", up);
    target.removeEventListener("blur", away);
  };
}
