/** Keys as a person reads them, from the way tinykeys writes them. */

const MAC = typeof navigator === "object" && /Mac|iP(ad|hone|od)/.test(navigator.platform);

const NAMES: Record<string, string> = {
  $mod: MAC ? "⌘" : "Ctrl",
  Control: "Ctrl",
  Meta: MAC ? "⌘" : "Meta",
  Alt: MAC ? "⌥" : "Alt",
  Shift: "Shift",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: "Del",
  Minus: "−",
  Equal: "=",
  Comma: ",",
  Period: ".",
  Slash: "/",
  BracketLeft: "[",
  BracketRight: "]",
  "[Shift]": "",
};

/** "$mod+Shift+KeyZ" becomes ["Ctrl", "Shift", "Z"]. */
export function keyNames(keys: string): string[] {
  return keys
    .split(/\+(?!$)/)
    .map((part) => NAMES[part] ?? part.replace(/^(Key|Digit)(?=.$)/, ""))
    .map((part) => (part.length === 1 ? part.toUpperCase() : part))
    .filter((part) => part !== "");
}

/** How the key of a command is shown: one text, empty if it has none. */
export function formatKey(command: { keys?: string[]; shown?: string }): string {
  return command.shown ?? keyNames(command.keys?.[0] ?? "").join(" ");
}
