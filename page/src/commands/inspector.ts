/** Panels of the page. */

import { openPanel, panelOpen } from "../store/inspector";
import { registerCommands } from "./registry";

registerCommands({
  id: "view.inspector",
  title: "Show or hide the inspector",
  group: "View",
  keys: ["$mod+KeyI"],
  help: "Fold the panel on the right away, or bring it back.",
  run: () => openPanel(!panelOpen.value),
});
