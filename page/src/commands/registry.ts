/** Commands of the page: one list behind keys, palette, buttons and the sheet of keys. */

export type Group = "Directing" | "Time" | "Keyframes" | "View" | "Project" | "Help";

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
}

const table = new Map<string, PageCommand>();

export function register(...commands: PageCommand[]): void {
  for (const command of commands) {
    if (table.has(command.id)) throw new Error(`there are two commands '${command.id}'`);
    table.set(command.id, command);
  }
}

export function commands(): PageCommand[] {
  return [...table.values()];
}

export function command(id: string): PageCommand {
  const found = table.get(id);
  if (!found) throw new Error(`there is no command '${id}'`);
  return found;
}

/** Run a command by its name; false if it is blocked just now. */
export function run(id: string): boolean {
  const found = command(id);
  if (found.blocked?.()) return false;
  found.run();
  return true;
}
