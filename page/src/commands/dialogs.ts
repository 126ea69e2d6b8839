/** Commands that open and save projects, and the dialogs around them. */

import { act, dialog, doc, showToast, welcome } from "../store";
import { unlinked, watching } from "./reasons";
import { registerCommands } from "./registry";

/** Save where it is kept already; ask where if it has no place of its own yet. */
async function save(): Promise<void> {
  if (!doc.value?.path) {
    dialog.value = "save";
    return;
  }
  if ((await act("save")) !== undefined) showToast("info", "Saved. Everything is kept as you go, too.");
}

registerCommands(
  {
    id: "project.gallery",
    title: "Gallery",
    group: "Project",
    keys: ["$mod+KeyG"],
    help: "All built-in scenes and performances, with pictures.",
    run: () => (dialog.value = "gallery"),
    blocked: unlinked,
  },
  {
    id: "project.open",
    title: "Open …",
    group: "Project",
    keys: ["$mod+KeyO"],
    help: "Open a project, or a file from your computer.",
    run: () => (dialog.value = "open"),
    blocked: unlinked,
  },
  {
    id: "project.save",
    title: "Save",
    group: "Project",
    keys: ["$mod+KeyS"],
    help: "Make sure that everything is on the disk. It is written as you go.",
    run: () => void save(),
    blocked: watching,
  },
  {
    id: "project.saveAs",
    title: "Save as …",
    group: "Project",
    keys: ["$mod+Shift+KeyS"],
    help: "Write the project to a file of another name.",
    run: () => (dialog.value = "save"),
    blocked: watching,
  },
  {
    id: "project.export",
    title: "Export …",
    group: "Project",
    keys: ["$mod+KeyE"],
    help: "Write the take as a 3D animation or as a video.",
    run: () => (dialog.value = "export"),
    blocked: () => unlinked() || (welcome.value ? "" : "The studio is not ready yet."),
  },
);
