import { effect } from "@preact/signals";
import { Dialogs } from "./dialogs/Dialogs";
import { Inspector } from "./panels/Inspector";
import { ToolStrip } from "./panels/ToolStrip";
import { TopBar } from "./panels/TopBar";
import { theme } from "./store";
import { Timeline } from "./timeline/Timeline";
import { TipLayer } from "./ui";
import { Stage } from "./view/Stage";

/** Only the stage is shown, for pictures. */
export const picture = new URLSearchParams(location.search).has("picture");

const prefersLight = matchMedia("(prefers-color-scheme: light)");

function useTheme(): void {
  const chosen = theme.value === "auto" ? (prefersLight.matches ? "light" : "dark") : theme.value;
  document.documentElement.dataset.theme = chosen;
}

effect(useTheme);
prefersLight.addEventListener("change", useTheme);

export function App() {
  if (picture) {
    return (
      <main class="app picture">
        <Stage />
      </main>
    );
  }
  return (
    <main class="app">
      <TopBar />
      <ToolStrip />
      <Stage />
      <Inspector />
      <Timeline />
      <Dialogs />
      <TipLayer />
    </main>
  );
}
