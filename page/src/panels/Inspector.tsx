import { inspectorTab } from "../store";
import { editTab } from "../store/edit/state";
import { openPanel, panelOpen } from "../store/inspector";
import { workspace } from "../store/workspace";
import { IconButton, Tabs } from "../ui";
import { CommandButton } from "./controls/CommandButton";
import { listPanels, type Panel } from "./registry";
import "./inspector.css";

// Every file there registers its panel when it is loaded: a new one needs no line here.
import.meta.glob("./inspector/*.tsx", { eager: true });

/** The panel on the right; folded, only its icons stay. */
export function Inspector() {
  const panels = listPanels();
  const tab = workspace.value === "edit" ? editTab : inspectorTab;
  const panel = panels.find(({ id }) => id === tab.value) ?? (panels[0] as Panel);
  if (!panelOpen.value) {
    return (
      <aside class="inspector folded" aria-label="Inspector">
        {panels.map(({ id, label, icon, help }) => (
          <IconButton
            key={id}
            icon={icon}
            label={label}
            help={help}
            side="left"
            size={36}
            testid={`tab-${id}`}
            onClick={() => {
              tab.value = id;
              openPanel(true);
            }}
          />
        ))}
      </aside>
    );
  }
  const choices = panels.map(({ id, label, icon, help }) => ({ value: id, label, icon, help, testid: `tab-${id}` }));
  return (
    <aside class="inspector" aria-label="Inspector" data-testid="inspector">
      <header class="inspector-head">
        <Tabs label="Inspector" value={panel.id} choices={choices} onChange={(id) => (tab.value = id)} />
        <CommandButton id="view.inspector" icon="right" title="Hide inspector" size={24} side="left" testid="fold-inspector" />
      </header>
      <div key={panel.id} class={`panel panel-${panel.id}`} role="tabpanel" aria-label={panel.label}>
        <panel.Content />
      </div>
    </aside>
  );
}
