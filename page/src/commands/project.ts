/** Commands about the whole: taking back, who directs, light and dark. */

import { act, directing, doc, status, showToast, theme, type Theme } from "../store";
import { ask, Refused } from "../wire/connection";
import { unlinked, watching } from "./reasons";
import { registerCommands } from "./registry";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

/** A key that is pressed once more than there is something to take back is no error. */
async function step(command: "undo" | "redo"): Promise<void> {
  try {
    await ask({ type: "do", command, arguments: {} });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const done = error.message.startsWith("there is nothing to");
    showToast(done ? "info" : "error", done ? `There is nothing more to ${command}.` : error.message);
  }
}

registerCommands(
  {
    id: "project.undo",
    title: "Undo",
    group: "Project",
    keys: ["$mod+KeyZ"],
    help: "Take back the last change. A whole drag is one change.",
    run: () => void step("undo"),
    blocked: () => watching() || (doc.value?.undo ? "" : "There is nothing to undo."),
  },
  {
    id: "project.redo",
    title: "Redo",
    group: "Project",
    keys: ["$mod+Shift+KeyZ", "$mod+KeyY"],
    help: "Do again what was taken back.",
    run: () => void step("redo"),
    blocked: () => watching() || (doc.value?.redo ? "" : "There is nothing to redo."),
  },
  {
    id: "project.direct",
    title: "Direct from this page",
    group: "Project",
    keys: ["KeyD"],
    help: "From now on this page directs, and the other ones watch.",
    run: () => void act("direct"),
    blocked: () => unlinked() || (directing.value ? "This page directs already." : ""),
  },
  {
    id: "project.back",
    title: "Return to the last stable frame",
    group: "Time",
    help: "After the simulation diverged: return to the last stable frame.",
    run: () => void act("back"),
    blocked: () => watching() || (status.value?.trouble ? "" : "Nothing has gone wrong."),
  },
  {
    id: "view.theme",
    title: "Theme",
    group: "View",
    keys: ["Shift+KeyD"],
    help: "Switch between system, light and dark.",
    run: () => (theme.value = NEXT[theme.value]),
  },
);
