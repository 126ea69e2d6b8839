/** Let keys carry the focus through the buttons of a group, round and round; gives the button that has it then. */
export function walkFocus(event: KeyboardEvent, steps: Record<string, number>, buttons = "button"): HTMLElement | undefined {
  const step = steps[event.key];
  if (!step) return undefined;
  const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>(buttons)];
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return undefined;
  event.preventDefault();
  event.stopPropagation();
  const next = all[(at + step + all.length) % all.length];
  next?.focus();
  return next;
}
