/** What the palette offers: commands of the page, scenes and performances, and what the project can do as it stands. */

import type { PageCommand } from "../../commands/registry";
import type { CommandInfo } from "../../wire/messages";
import { holds, rank, type Match } from "./fuzzy";
import type { Piece } from "./pieces";

export interface Offer {
  id: string;
  title: string;
  /** Where it comes from, said quietly at the side. */
  group: string;
  /** More words by which it is found. */
  also: string;
  keys: string;
  blocked: string;
  run: () => void;
}

/** Actions of which the page has a better way, so that they are not offered twice. */
const COVERED = new Set([
  "live", "pause", "replay", "present", "step", "undo", "redo", "save", "gallery", "recent", "folders", "script", "curves",
  "trail", "begin_pose", "end_pose", "key", "export", "back", "track", "open", "files", "begin_gesture", "end_gesture", "edit_open", "edit_close",
  "edit_keep", "edit_solve", "edit_stop", "edit_prepare", "edit_study",
]);

/** Whether a command needs nothing to be said with it. `signature` is as Python writes it, without the brackets. */
export function needsNothing(signature: string): boolean {
  return splitSignature(signature).every((part) => part === "" || part === "*" || part === "/" || part.startsWith("**") || part.includes("="));
}

/** Commas inside brackets belong to a default, and do not end an argument. */
function splitSignature(signature: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let k = 0; k < signature.length; k++) {
    const letter = signature[k] as string;
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (letter === "," && depth === 0) {
      parts.push(signature.slice(start, k).trim());
      start = k + 1;
    }
  }
  parts.push(signature.slice(start).trim());
  return parts;
}

export function pageOffers(commands: readonly PageCommand[], keyOf: (command: PageCommand) => string): Offer[] {
  return commands
    .filter((command) => command.id !== "help.palette")
    .map((command) => ({
      id: command.id,
      title: command.title,
      group: command.group,
      also: command.help,
      keys: keyOf(command),
      blocked: command.blocked?.() ?? "",
      run: command.run,
    }));
}

export function pieceOffers(pieces: readonly Piece[], open: (piece: Piece) => void): Offer[] {
  return pieces.map((piece) => ({
    id: `${piece.kind}.${piece.name}`,
    title: `${piece.kind === "scene" ? "Open" : "Play"} ${piece.title}`,
    group: piece.kind === "scene" ? "Scene" : "Performance",
    also: `${piece.name} ${piece.description}`,
    keys: "",
    blocked: "",
    run: () => open(piece),
  }));
}

export function projectOffers(commands: readonly CommandInfo[], blocked: string, run: (name: string) => void): Offer[] {
  return commands
    .filter((command) => !COVERED.has(command.name) && needsNothing(command.signature))
    .map((command) => ({
      id: `do.${command.name}`,
      title: command.summary.replace(/[.;:,].*$/, ""),
      group: "Command",
      also: command.name,
      keys: "",
      blocked,
      run: () => run(command.name),
    }));
}

/**
 * What fits, best first. Titles count for more than what else is said; with nothing typed, what was used last comes
 * first, and what cannot be done just now last.
 */
export function chooseOffer(query: string, offers: readonly Offer[], recent: readonly string[]): { offer: Offer; match: Match }[] {
  const byTitle = rank(query, offers, (offer) => offer.title);
  const titled = new Set(byTitle.map(({ thing }) => thing));
  const byRest = offers.filter((offer) => !titled.has(offer) && holds(query, `${offer.also} ${offer.group}`));
  const age = (offer: Offer) => (recent.includes(offer.id) ? recent.indexOf(offer.id) : recent.length) + (offer.blocked ? 100 : 0);
  const first = byTitle.map(({ thing, match }) => ({ offer: thing, match }));
  if (query.trim() === "") first.sort((a, b) => age(a.offer) - age(b.offer));
  else first.sort((a, b) => b.match.score + used(b.offer, recent) - a.match.score - used(a.offer, recent));
  return [...first, ...byRest.map((offer) => ({ offer, match: { score: 0, places: [] } }))];
}

/** Of two that fit about alike, the one used before was meant. */
function used(offer: Offer, recent: readonly string[]): number {
  return recent.includes(offer.id) ? 2 : 0;
}
