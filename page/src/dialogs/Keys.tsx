import { useSignal } from "@preact/signals";
import { commands, type Group, type PageCommand } from "../commands/registry";
import { Dialog, Keys as Caps, shownKey } from "../ui";
import { closeDialog } from "./close";
import { holds } from "./fuzzy";
import "./keys.css";

const GROUPS: Group[] = ["Directing", "Time", "Keyframes", "Editing", "View", "Project", "Help"];
/** What the pointer does; no command, but looked for in the same place. */
const POINTER: [string, string][] = [
  ["Drag the body", "Take hold of the nearest bone"],
  ["Shift while dragging", "Move along the floor"],
  ["Ctrl while dragging", "Move up and down"],
  ["X, Y, Z while dragging", "Move along one axis"],
  ["Wheel while dragging", "Nearer or farther"],
  ["Escape while dragging", "Let go"],
  ["Drag beside it", "Turn the view"],
  ["Shift drag beside it", "Move the view"],
  ["Wheel", "Come closer, go away"],
];

/** All commands and their keys. */
export function KeySheet() {
  const query = useSignal("");
  const fits = (...texts: string[]) => holds(query.value, texts.join(" "));
  const found = commands().filter((command) => fits(command.title, command.help, shownKey(command)));
  const pointer = POINTER.filter((line) => fits(...line));
  return (
    <Dialog
      title="Keys"
      size="large"
      class="key-sheet"
      testid="dialog-keys"
      onClose={closeDialog}
      head={
        <input
          class="text-field search"
          type="search"
          autofocus
          placeholder="Find a key"
          aria-label="Find a key"
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
        />
      }
    >
      {found.length === 0 && pointer.length === 0 && <p class="empty">No command is called that.</p>}
      <div class="key-columns">
        {GROUPS.map((group) => (
          <Section key={group} title={group} commands={found.filter((command) => command.group === group)} />
        ))}
        {pointer.length > 0 && (
          <section>
            <h3>Pointer</h3>
            <dl>
              {pointer.map(([does, gives]) => (
                <div key={does}>
                  <dt>{gives}</dt>
                  <dd class="deed">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
      </div>
    </Dialog>
  );
}

function Section({ title, commands }: { title: Group; commands: PageCommand[] }) {
  if (commands.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {commands.map((command) => (
          <div key={command.id} title={command.help}>
            <dt>{command.title}</dt>
            <dd>{shownKey(command) && <Caps text={shownKey(command)} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
