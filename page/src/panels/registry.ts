/** Panels of the inspector: one list, to which every file of `inspector/` adds its own when it is loaded. */

import type { FunctionComponent } from "preact";
import { workspace, type Workspace } from "../store/workspace";
import type { IconName } from "../ui";

export interface Panel {
  id: string;
  label: string;
  icon: IconName;
  /** One sentence for a tooltip. */
  help: string;
  /** Where its tab stands: smaller numbers first. */
  order: number;
  /** The workspace it belongs to; both if not said. */
  where?: Workspace;
  /** Whether it makes sense just now; always if not given. */
  shown?: () => boolean;
  Content: FunctionComponent;
}

const table = new Map<string, Panel>();

export function registerPanel(panel: Panel): void {
  if (table.has(panel.id)) throw new Error(`there are two panels '${panel.id}'`);
  table.set(panel.id, panel);
}

/** Panels that are to be had now, in the order of their tabs. */
export function listPanels(): Panel[] {
  const here = ({ where, shown }: Panel) => (where === undefined || where === workspace.value) && (shown?.() ?? true);
  return [...table.values()].filter(here).sort((a, b) => a.order - b.order);
}
