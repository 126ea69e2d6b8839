/** Why something cannot be done just now: the reasons that many commands share. */

import { directable, directing, status } from "../store";
import { link } from "../wire/connection";

export function unlinked(): string {
  return link.value === "open" ? "" : "There is no connection to the studio just now.";
}

/** Only the page that directs may change things. */
export function watching(): string {
  return unlinked() || (directing.value ? "" : "Another page directs; this one watches.");
}

/** Where the engine supports no goals. */
const UNDIRECTED = "Nothing in this scene can be directed: its joints move by themselves. The Detail panel says how many move.";

/** Needs somebody who can be directed. */
export function undirected(): string {
  return watching() || (!directable.value ? UNDIRECTED : "");
}

/** Needs something on record. */
export function unrecorded(): string {
  const state = status.value;
  return unlinked() || (state && state.end > state.begin ? "" : "Nothing is recorded yet. Play live first.");
}
