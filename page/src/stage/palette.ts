/** The colours of the tokens, for the stage: read once per theme, kept up to date in place. */

import { Color } from "three";

const NAMES = [
  "stage-top", "stage-bottom", "stage-grid", "accent", "ahead", "before", "pose", "good", "warn", "bad", "focus",
  "center", "turn", "pin", "passive", "text", "text-2", "text-3", "drag", "bone", "force", "active", "held",
] as const;

export type Token = (typeof NAMES)[number];

const colors = new Map<Token, Color>(NAMES.map((name) => [name, new Color()]));
const listeners = new Set<() => void>();

/** The colour of a token; the same object for ever, so that a material may hold it. */
export const token = (name: Token): Color => colors.get(name) as Color;

export const isLight = (): boolean => document.documentElement.dataset.theme === "light";

export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): void {
  const style = getComputedStyle(document.documentElement);
  for (const [name, color] of colors) {
    const value = style.getPropertyValue(`--${name}`).trim();
    if (value) color.set(value);
  }
  for (const listener of listeners) listener();
}

/** Begin to watch the theme. */
export function watchTheme(): () => void {
  read();
  const observer = new MutationObserver(read);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
