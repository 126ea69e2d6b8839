/** Dark or light, as this person likes it or as the system has it. */

import { effect } from "@preact/signals";
import { theme } from "./preferences";

export function applyTheme(): void {
  const prefersLight = matchMedia("(prefers-color-scheme: light)");
  const apply = () => {
    const chosen = theme.value === "auto" ? (prefersLight.matches ? "light" : "dark") : theme.value;
    document.documentElement.dataset.theme = chosen;
  };
  effect(apply);
  prefersLight.addEventListener("change", apply);
}
