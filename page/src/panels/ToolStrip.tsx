import { originalShown, paths, ghostsShown } from "../store/edit/state";
import { workspace } from "../store/workspace";
import { springsOn } from "../store/springs";
import { follow, layers, mode, plane, pulled, status, type Mode, type Plane } from "../store";
import { walkFocus, type IconName } from "../ui";
import { CommandButton } from "./controls/CommandButton";
import "./toolstrip.css";

const MODES: [Mode, IconName][] = [
  ["bone", "bone"],
  ["center", "center"],
  ["turn", "turn"],
  ["pose", "pose"],
  ["pin", "pin"],
  ["passive", "passive"],
  ["camera", "camera"],
];

const PLANES: [Plane, IconName][] = [
  ["camera", "planeCamera"],
  ["floor", "planeFloor"],
  ["axis", "planeAxis"],
];

/** Those that a motion that is edited has, too. */
const EDITED: Mode[] = ["bone", "center", "turn", "pin", "camera"];

/** What the hand does, where it may go, and what helps it to see. */
export function ToolStrip() {
  const edited = workspace.value === "edit";
  const modes = edited ? MODES.filter(([name]) => EDITED.includes(name)) : MODES;
  return (
    <nav class="tools" aria-label="Tools">
      <div class="tools-group" role="toolbar" aria-label="What the hand does" aria-orientation="vertical" onKeyDown={walk}>
        {modes.map(([name, icon]) => (
          <Tool key={name} id={`mode.${name}`} icon={icon} active={mode.value === name} testid={`mode-${name}`} />
        ))}
      </div>
      <hr />
      <div class="tools-group" role="toolbar" aria-label="Where a drag goes" aria-orientation="vertical" onKeyDown={walk}>
        {PLANES.map(([name, icon]) => (
          <Tool key={name} id={`plane.${name}`} icon={icon} active={plane.value === name} testid={`plane-${name}`} small />
        ))}
      </div>
      <span class="tools-space" />
      {edited ? <EditHelpers /> : <Helpers />}
    </nav>
  );
}

const PATHS = { none: "Paths: none", one: "Paths: of what you point at", all: "Paths: of all bodies" };

/** What helps to see a motion. */
function EditHelpers() {
  return (
    <div class="tools-group" role="toolbar" aria-label="Helpers" aria-orientation="vertical" onKeyDown={walk}>
      <Tool id="edit.strobes" icon="strobes" active={ghostsShown.value} testid="tool-strobes" small />
      <Tool id="edit.paths" icon="paths" active={paths.value !== "none"} title={PATHS[paths.value]} testid="tool-paths" small />
      <Tool id="edit.ghost" icon="ghost" active={originalShown.value} testid="tool-ghost" small />
      <Tool id="view.follow" icon="follow" active={follow.value} testid="follow" small />
    </div>
  );
}

function Helpers() {
  return (
    <div class="tools-group" role="toolbar" aria-label="Helpers" aria-orientation="vertical" onKeyDown={walk}>
      {pulled.value && <Tool id="directing.springs" icon="spring" title={`Joint springs ${springsOn() ? "on" : "off"}`} active={springsOn()} testid="springs" small />}
      <Tool id="keys.auto" icon="autoKey" active={status.value?.auto_key ?? false} testid="auto-key" small />
      <Tool id="time.ahead" icon="ghost" active={layers.value.ahead} testid="ghost" small tint="ahead" />
      <Tool id="view.follow" icon="follow" active={follow.value} testid="follow" small />
    </div>
  );
}

interface ToolProps {
  id: string;
  icon: IconName;
  active: boolean;
  testid: string;
  small?: boolean;
  tint?: "ahead";
  title?: string;
}

function Tool({ id, icon, active, testid, small, tint, title }: ToolProps) {
  return (
    <CommandButton id={id} icon={icon} size={small ? 28 : 36} active={active} side="right" testid={testid} class={tint} title={title} />
  );
}

/** Arrow keys go up and down through a group. */
const walk = (event: KeyboardEvent): void => void walkFocus(event, { ArrowDown: 1, ArrowUp: -1 });
