import { closeDialog } from "../../store";
import { useSignal } from "@preact/signals";
import { belongsHere, listCommands, type Group, type PageCommand } from "../../commands/registry";
import { workspace } from "../../store/workspace";
import { Dialog, Keys as Caps, shownKey } from "../../ui";
import { holds } from "./fuzzy";
import "./keys.css";

const GROUPS: Group[] = ["Directing", "Time", "Keyframes", "Editing", "View", "Project", "Help"];
/** In the Edit workspace what edits comes first. */
const EDIT_GROUPS: Group[] = ["Editing", "Directing", "View", "Project", "Help"];
/** What the pointer does to a motion that is edited. */
const EDIT_POINTER: [string, string][] = [
  ["Drag a body", "Want it there at this moment; the whole motion follows"],
  ["Double-click a body", "Nail it as it is at this moment"],
  ["N while dragging", "Nail it where you want it"],
  ["Escape while dragging", "As it was before"],
  ["Drag a nail or its arrow", "Want something else"],
  ["Drag a dot or diamond below", "Want it earlier or later"],
];
const DIRECT_POINTER: [string, string][] = [
  ["Drag the body", "Drag the nearest bone"],
  ["Escape while dragging", "Let go"],
];
/** What the pointer does; no command, but looked for in the same place. */
const POINTER: [string, string][] = [
  ["Shift while dragging", "Move along the floor"],
  ["Ctrl while dragging", "Move up and down"],
  ["X, Y, Z while dragging", "Move along one axis"],
  ["Wheel while dragging", "Nearer or farther"],
  ["Drag beside it", "Turn the view"],
  ["Shift drag beside it", "Move the view"],
  ["Wheel", "Come closer, go away"],
];

/** All commands and their keys. */
export function KeySheet() {
  const query = useSignal("");
  const fits = (...texts: string[]) => holds(query.value, texts.join(" "));
  const edited = workspace.value === "edit";
  const found = listCommands().filter((command) => belongsHere(command) && fits(command.title, command.help, shownKey(command)));
  const own = edited ? EDIT_POINTER : DIRECT_POINTER;
  const pointer = [...own, ...POINTER].filter((line) => fits(...line));
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
        {(edited ? EDIT_GROUPS : GROUPS).map((group) => (
          <Section key={group} title={edited && group === "Directing" ? "Hand" : group} commands={found.filter((command) => command.group === group)} />
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

function Section({ title, commands }: { title: string; commands: PageCommand[] }) {
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
