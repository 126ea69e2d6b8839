/** Panels of the page. */

import { openPanel, panelOpen } from "../store/inspector";
import { registerCommands } from "./registry";

registerCommands({
  id: "view.inspector",
  title: "Show or hide inspector",
  group: "View",
  keys: ["$mod+KeyI"],
  help: "Show or hide the panel on the right.",
  run: () => openPanel(!panelOpen.value),
});
