import { Dialogs } from "./panels/dialogs/Dialogs";
import { Hud } from "./panels/hud/Hud";
import { Inspector } from "./panels/Inspector";
import { NailMenu } from "./panels/menus/NailMenu";
import { PinMenu } from "./panels/menus/PinMenu";
import { TransitionMenu } from "./panels/menus/TransitionMenu";
import { Timeline } from "./panels/timeline/Timeline";
import { ToolStrip } from "./panels/ToolStrip";
import { TopBar } from "./panels/TopBar";
import { applyTheme } from "./store/theme";
import { TipLayer } from "./ui";
import { picture, Stage } from "./stage/Stage";

applyTheme();

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
