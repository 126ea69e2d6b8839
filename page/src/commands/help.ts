/** Commands that help to find one's way. */

import { editing, workspace } from "../store/workspace";
import { directable, dialog } from "../store";
import { registerCommands } from "./registry";

registerCommands(
  {
    id: "help.palette",
    title: "Find a command",
    group: "Help",
    keys: ["$mod+KeyK"],
    help: "Search everything that can be done, by a few letters.",
    run: () => (dialog.value = "palette"),
  },
  {
    id: "help.keys",
    title: "Keys",
    group: "Help",
    keys: ["[Shift]+?"],
    shown: "?",
    help: "All commands and their keys.",
    run: () => (dialog.value = "keys"),
  },
  {
    id: "help.tour",
    title: "Tour",
    group: "Help",
    keys: ["KeyT"],
    get help() {
      return workspace.value === "edit" ? "A walk through the motion editor in a minute." : "A walk through the studio in one minute.";
    },
    run: () => (dialog.value = "tour"),
    blocked: () => {
      if (workspace.value === "edit") return editing.value ? "" : "Choose on the stage what to edit first.";
      return !directable.value ? "Nothing in this scene can be directed: its joints move by themselves. Open another scene first." : "";
    },
  },
);
