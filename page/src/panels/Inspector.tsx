import type { FunctionComponent } from "preact";
import { Freedom } from "../edit/Freedom";
import { editTab } from "../edit/state";
import { Wanted } from "../edit/Wanted";
import { workspace } from "../edit/workspace";
import { adaptive, inspectorTab } from "../store";
import { CommandButton, IconButton, Tabs, type Choice } from "../ui";
import { openPanel, panelOpen } from "./folding";
import { Detail } from "./inspector/Detail";
import { Goals } from "./inspector/Goals";
import { Joints } from "./inspector/Joints";
import { Log } from "./inspector/Log";
import { Physics } from "./inspector/Physics";
import { Plots } from "./inspector/Plots";
import { SceneTree } from "./inspector/SceneTree";
import "./inspector/inspector.css";

interface Panel extends Choice<string> {
  Content: FunctionComponent;
}

const DETAIL: Panel = { value: "detail", label: "Detail", icon: "speed", help: "How many joints move, and what that costs.", Content: Detail };
const PANELS: Panel[] = [
  { value: "goals", label: "Goals", icon: "target", help: "What is asked of the characters, and what is met first.", Content: Goals },
  { value: "joints", label: "Joints", icon: "joint", help: "Who moves which joint, how hard it works, how far it may go.", Content: Joints },
  { value: "physics", label: "Physics", icon: "sliders", help: "Materials, contact, gravity and steps, all changed while it runs.", Content: Physics },
  { value: "scene", label: "Scene", icon: "tree", help: "Who and what is on the stage.", Content: SceneTree },
  { value: "plots", label: "Plots", icon: "plot", help: "Height, energy, torques and speed over time.", Content: Plots },
  { value: "log", label: "Log", icon: "code", help: "Everything you do, as Python to copy.", Content: Log },
];

/** Panels of a motion that is edited. */
const EDITED: Panel[] = [
  { value: "wanted", label: "Nails", icon: "pin", help: "What is wanted of the motion, and how near it is.", Content: Wanted },
  { value: "freedom", label: "Freedom", icon: "unlocked", help: "What may change so that the nails are met, and how gladly.", Content: Freedom },
  ...PANELS.filter(({ value }) => value === "scene" || value === "log"),
];

/** The panel on the right; folded, only its icons stay. */
export function Inspector() {
  // The adaptive engine knows no goals; how much of it moves takes their place.
  const edited = workspace.value === "edit";
  const panels = edited ? EDITED : adaptive.value ? [DETAIL, ...PANELS.slice(1)] : PANELS;
  const tab = edited ? editTab : inspectorTab;
  const panel = panels.find(({ value }) => value === tab.value) ?? (panels[0] as Panel);
  const choices: Choice<string>[] = panels.map((choice) => ({ ...choice, testid: `tab-${choice.value}` }));
  if (!panelOpen.value) {
    return (
      <aside class="inspector folded" aria-label="Inspector">
        {choices.map(({ value, label, icon, help, testid }) => (
          <IconButton
            key={value}
            icon={icon ?? "info"}
            label={label}
            help={help}
            side="left"
            size={36}
            testid={testid}
            onClick={() => {
              tab.value = value;
              openPanel(true);
            }}
          />
        ))}
      </aside>
    );
  }
  return (
    <aside class="inspector" aria-label="Inspector" data-testid="inspector">
      <header class="inspector-head">
        <Tabs label="Inspector" value={panel.value} choices={choices} onChange={(value) => (tab.value = value)} />
        <CommandButton id="view.inspector" icon="right" title="Fold the inspector away" size={24} side="left" testid="fold-inspector" />
      </header>
      <div key={panel.value} class={`panel panel-${panel.value}`} role="tabpanel" aria-label={panel.label}>
        <panel.Content />
      </div>
    </aside>
  );
}
