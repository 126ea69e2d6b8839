import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { watching } from "../../commands/reasons";
import { listCommands } from "../../commands/registry";
import { act, closeDialog, persistentSignal, welcome } from "../../store";
import { Dialog, Icon, Keys, shownKey } from "../../ui";
import { chooseOffer, pageOffers, pieceOffers, projectOffers, type Offer } from "./choices";
import { fetchPieces, openPiece, pieces } from "./pieces";
import "./palette.css";

const recent = persistentSignal<string[]>("palette", []);

/** Everything that can be done, by a few letters. */
export function Palette() {
  const query = useSignal("");
  const at = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    void fetchPieces();
  }, []);
  const found = chooseOffer(query.value, offers(), recent.value);
  const index = Math.min(at.value, found.length - 1);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: "nearest" });
  }, [index]);

  const go = (offer: Offer | undefined) => {
    if (!offer || offer.blocked) return;
    recent.value = [offer.id, ...recent.value.filter((id) => id !== offer.id)].slice(0, 12);
    closeDialog();
    offer.run();
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (event.key === "Enter") {
      // What the command focuses must not be pressed by this same key.
      event.preventDefault();
      go(found[index]?.offer);
    }
    if (!step || found.length === 0) return;
    event.preventDefault();
    at.value = Math.abs(step) === 1 ? (index + step + found.length) % found.length : Math.min(Math.max(index + step, 0), found.length - 1);
  };
  return (
    <Dialog title="Find a command" bare class="palette" testid="dialog-palette" onClose={closeDialog}>
      <div class="palette-query">
        <Icon name="search" />
        <input
          type="text"
          autofocus
          autocomplete="off"
          spellcheck={false}
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found[index] ? `palette-${index}` : undefined}
          aria-label="Find a command"
          placeholder="What would you like to do?"
          data-testid="palette-query"
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={key}
        />
      </div>
      <ul ref={list} id="palette-list" role="listbox" aria-label="Commands">
        {found.slice(0, 80).map(({ offer, match }, k) => (
          <li
            key={offer.id}
            id={`palette-${k}`}
            role="option"
            aria-selected={k === index}
            aria-disabled={offer.blocked ? true : undefined}
            title={offer.also}
            onPointerMove={() => (at.value = k)}
            onClick={() => go(offer)}
          >
            <span class="offer">
              <Marked text={offer.title} places={match.places} />
              {offer.blocked && <span class="offer-blocked">{offer.blocked}</span>}
            </span>
            <span class="offer-group">{offer.group}</span>
            {offer.keys && <Keys text={offer.keys} />}
          </li>
        ))}
        {found.length === 0 && <li class="none">Nothing is called that.</li>}
      </ul>
    </Dialog>
  );
}

function offers(): Offer[] {
  return [
    ...pageOffers(listCommands(), shownKey),
    ...pieceOffers(pieces.value ?? [], (piece) => void openPiece(piece)),
    ...projectOffers(welcome.value?.commands ?? [], watching(), (name) => void act(name)),
  ];
}

/** The letters that were found are drawn stronger. */
function Marked({ text, places }: { text: string; places: number[] }) {
  const found = new Set(places);
  return <span>{[...text].map((letter, k) => (found.has(k) ? <b key={k}>{letter}</b> : letter))}</span>;
}
