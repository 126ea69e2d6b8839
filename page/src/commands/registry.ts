/** Commands of the page: one list behind keys, palette, buttons and the sheet of keys. */

import { workspace, type Workspace } from "../store/workspace";

export type Group = "Directing" | "Time" | "Keyframes" | "Editing" | "View" | "Project" | "Help";

export interface PageCommand {
  id: string;
  /** What a button or a list says. */
  title: string;
  group: Group;
  /** As tinykeys writes them, such as "$mod+KeyZ"; the first is shown. */
  keys?: string[];
  /** How the key is shown, if not as it is read from `keys`. */
  shown?: string;
  /** One sentence for a tooltip; a getter where it depends on the scene. */
  readonly help: string;
  run: () => void;
  /** Called when the key is let go, for commands that act while a key is held. */
  end?: () => void;
  /** Why it cannot be done just now; empty if it can. */
  blocked?: () => string;
  /** The workspace it belongs to; both if not said. Commands of different workspaces may share a key. */
  where?: Workspace;
}

const table = new Map<string, PageCommand>();

const AWAY: Record<Workspace, string> = {
  direct: "This belongs to directing. Press E to leave the Edit workspace.",
  edit: "This belongs to the Edit workspace. Press E to go there.",
};

/** Whether a command belongs to the workspace that is shown. */
export const belongsHere = ({ where }: PageCommand): boolean => where === undefined || where === workspace.value;

/** Register commands of one workspace: in the other one they are blocked. */
export function registerCommandsIn(where: Workspace, ...commands: PageCommand[]): void {
  for (const command of commands) {
    const own = command.blocked;
    command.where = where;
    command.blocked = () => (belongsHere(command) ? (own?.() ?? "") : AWAY[where]);
  }
  registerCommands(...commands);
}

export function registerCommands(...commands: PageCommand[]): void {
  for (const command of commands) {
    if (table.has(command.id)) throw new Error(`there are two commands '${command.id}'`);
    table.set(command.id, command);
  }
}

export function listCommands(): PageCommand[] {
  return [...table.values()];
}

export function findCommand(id: string): PageCommand {
  const found = table.get(id);
  if (!found) throw new Error(`there is no command '${id}'`);
  return found;
}

/** Run a command by its name; false if it is blocked just now. */
export function runCommand(id: string): boolean {
  const found = findCommand(id);
  if (found.blocked?.()) return false;
  found.run();
  return true;
}
