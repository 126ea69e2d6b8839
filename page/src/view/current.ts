/** The viewport that is on the page, for commands and for films. */

import type { Viewer } from "./viewer";

let current: Viewer | null = null;

export function setViewer(viewer: Viewer | null): void {
  current = viewer;
}

export const viewer = (): Viewer | null => current;
