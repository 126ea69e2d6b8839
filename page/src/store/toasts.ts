/** Short messages in a corner of the page. */

import { signal } from "@preact/signals";
import type { OfferInfo } from "../wire/messages";

/** A short message, and what can be done about it. */
export type Toast = { id: number; level: "info" | "warning" | "error"; text: string; offer: OfferInfo | null };
export const toasts = signal<Toast[]>([]);

let toastCount = 0;

export function showToast(level: Toast["level"], text: string, offer: OfferInfo | null = null): void {
  if (toasts.value.some((toast) => toast.text === text)) return;
  const toast = { id: ++toastCount, level, text, offer };
  const crowded = toasts.value.length > 3 ? toasts.value.find((other) => !other.offer) : undefined;
  toasts.value = [...toasts.value.filter((other) => other !== crowded), toast];
  // What can be done about it must not vanish while somebody reads.
  if (!offer) setTimeout(() => dismissToast(toast.id), level === "info" ? 4000 : 9000);
}

/** What went wrong in a scene that was left is nobody's concern any more. */
export function dismissErrors(): void {
  toasts.value = toasts.value.filter(({ level, offer }) => level !== "error" || offer);
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
