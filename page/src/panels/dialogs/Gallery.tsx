import { closeDialog } from "../../store";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Dialog } from "../../ui";
import { link } from "../../wire/connection";
import { search } from "./fuzzy";
import { fetchPieces, openPiece, findPicture, pieces, type Piece } from "./pieces";
import { Placeholder } from "./Placeholder";
import "./gallery.css";

const SHELVES = {
  Scenes: "Open one and direct it by hand.",
  "Motions to edit": "Drag the motion, not the moment: each has a wish that it does not fulfil yet.",
  Performances: "Watch one, and take over at any moment.",
};

const shelfOf = ({ kind, study }: Piece): keyof typeof SHELVES => (kind === "performance" ? "Performances" : study ? "Motions to edit" : "Scenes");

export function Gallery() {
  const query = useSignal("");
  useEffect(() => {
    void fetchPieces();
  }, [link.value]);
  const all = pieces.value;
  const found = all && search(query.value, all, (piece) => piece.title, (piece) => `${piece.name} ${piece.scene} ${piece.description} ${shelfOf(piece)}`);
  const open = (piece: Piece) => {
    closeDialog();
    void openPiece(piece);
  };
  return (
    <Dialog
      title="Gallery"
      size="large"
      class="gallery"
      testid="dialog-gallery"
      onClose={closeDialog}
      head={
        <input
          class="text-field search"
          type="search"
          autofocus
          placeholder="Find a scene or performance"
          aria-label="Find a scene or performance"
          data-testid="gallery-search"
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            const first = found?.[0];
            if (event.key === "Enter" && first) open(first);
          }}
        />
      }
    >
      {!all && <p class="empty">Looking what there is …</p>}
      {found?.length === 0 && <p class="empty">Nothing is called that. Try fewer letters.</p>}
      {Object.entries(SHELVES).map(([title, note]) => (
        <Shelf key={title} title={title} note={note} pieces={found?.filter((piece) => shelfOf(piece) === title) ?? []} open={open} />
      ))}
    </Dialog>
  );
}

function Shelf({ title, note, pieces, open }: { title: string; note: string; pieces: Piece[]; open: (piece: Piece) => void }) {
  if (pieces.length === 0) return null;
  return (
    <section class="shelf" aria-label={title}>
      <h3>
        {title} <span>{note}</span>
      </h3>
      <ul>
        {pieces.map((piece) => (
          <li key={`${piece.kind} ${piece.name}`}>
            <Card piece={piece} open={open} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ piece, open }: { piece: Piece; open: (piece: Piece) => void }) {
  const missing = useSignal(false);
  const verb = piece.kind === "scene" ? "Open" : "Play";
  return (
    <button type="button" class="card" title={`${verb} ${piece.title}`} data-testid={`gallery-${piece.name}`} onClick={() => open(piece)}>
      <span class="frame">
        {missing.value ? (
          <Placeholder name={piece.name} />
        ) : (
          <img src={findPicture(piece)} alt="" loading="lazy" draggable={false} onError={() => (missing.value = true)} />
        )}
        <span class="verb" aria-hidden="true">
          {verb}
        </span>
      </span>
      <strong>{piece.title}</strong>
      <span class="about">{piece.description}</span>
    </button>
  );
}
