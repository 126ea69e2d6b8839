import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dismissToast, showToast, toasts } from ".";

const offer = { label: "Open it", command: "open", arguments: {} };

describe("a message", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    toasts.value = [];
  });
  afterEach(() => vi.useRealTimers());

  it("vanishes, unless it offers something to do", () => {
    showToast("info", "Kept.");
    showToast("warning", "The studio had ended unexpectedly.", offer);
    vi.advanceTimersByTime(3_600_000);
    expect(toasts.value.map(({ text }) => text)).toEqual(["The studio had ended unexpectedly."]);
    dismissToast(toasts.value[0]?.id ?? -1);
    expect(toasts.value).toEqual([]);
  });

  it("that offers something is not pushed out by others", () => {
    showToast("warning", "The studio had ended unexpectedly.", offer);
    for (const text of ["one", "two", "three", "four", "five"]) showToast("error", text);
    expect(toasts.value.map(({ text }) => text)).toEqual(["The studio had ended unexpectedly.", "three", "four", "five"]);
  });
});
