/** Commands that help to find one's way. */

import { dialog } from "../store";
import { register, registerIn } from "./registry";

register(
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
);

// What it shows is directing.
registerIn("direct", {
  id: "help.tour",
  title: "Tour",
  group: "Help",
  keys: ["KeyT"],
  help: "A walk through the studio in one minute.",
  run: () => (dialog.value = "tour"),
});
