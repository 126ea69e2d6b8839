import { effect } from "@preact/signals";
import { Dialogs } from "./panels/dialogs/Dialogs";
import { Hud } from "./panels/hud/Hud";
import { Inspector } from "./panels/Inspector";
import { NailMenu } from "./panels/menus/NailMenu";
import { PinMenu } from "./panels/menus/PinMenu";
import { TransitionMenu } from "./panels/menus/TransitionMenu";
import { Timeline } from "./panels/timeline/Timeline";
import { ToolStrip } from "./panels/ToolStrip";
import { TopBar } from "./panels/TopBar";
import { theme } from "./store";
import { TipLayer } from "./ui";
import { picture, Stage } from "./stage/Stage";

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
      <Stage>
        <Hud />
        <PinMenu />
        <NailMenu />
        <TransitionMenu />
      </Stage>
      <Inspector />
      <Timeline />
      <Dialogs />
      <TipLayer />
    </main>
  );
}
