/** What there is to open: asked for once, and again after the studio was started anew. */

import { effect, signal } from "@preact/signals";
import { act, welcome } from "../../store";

export interface Piece {
  kind: "scene" | "performance";
  name: string;
  title: string;
  description: string;
  /** Of a performance, the scene it is played in. */
  scene: string;
  picture: string;
  /** Whether a scene carries a motion to edit. */
  study?: boolean;
}

export const pieces = signal<Piece[] | null>(null);
let session = "";

effect(() => {
  if (welcome.value && welcome.value.session !== session) pieces.value = null;
});

export async function fetchPieces(): Promise<Piece[]> {
  if (pieces.value) return pieces.value;
  session = welcome.value?.session ?? "";
  const found = await act<Piece[]>("gallery");
  if (found) pieces.value = found;
  return found ?? [];
}

/** Where a piece's picture is. */
export function findPicture(piece: Piece): string {
  const file = piece.picture || `${piece.name}.webp`;
  return file.includes("/") ? file : `./pictures/${file.includes(".") ? file : `${file}.webp`}`;
}

/** Open a scene, or play a performance. */
export async function openPiece(piece: Piece): Promise<void> {
  await act("open", { source: piece.name, kind: piece.kind });
}
