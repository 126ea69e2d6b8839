/** Which layers are drawn, how far ghosts reach, and where the camera stands. */

import { detailed, beforeCount, beforeSpacing, follow, horizon, layers } from "../../store";
import { runCommand } from "../../commands/registry";
import { toggleLayer } from "../../commands/view";
import { Button, Field, Icon, NumberField, Popover, Toggle } from "../../ui";
import { LAYERS } from "../../store/layers";

export function LayersMenu() {
  return (
    <Popover
      button={<Icon name="layers" />}
      label="Layers"
      help="What is drawn on the stage, and where the camera stands."
      class="icon-button size-36"
      panelClass="layers-panel"
      testid="layers"
    >
      {() => <Panel />}
    </Popover>
  );
}

function Panel() {
  return (
    <>
      <h3>Layers</h3>
      <div class="layers-list">
        {LAYERS.filter(({ name }) => name !== "active" || detailed.value).map(({ name, title, key, help }) => (
          <div class="layers-row" key={name}>
            <Toggle on={layers.value[name]} label={title} help={help} keys={key} testid={`layer-${name}`} onChange={() => toggleLayer(name)} />
            {key && <kbd aria-hidden="true">{key}</kbd>}
          </div>
        ))}
      </div>
      <h3>Ghosts</h3>
      <Field label="Ahead" help="How far to look ahead.">
        <NumberField value={horizon.value} label="Look ahead by" unit="s" min={0.1} max={5} step={0.1} digits={1} onInput={(value) => (horizon.value = value)} />
      </Field>
      <Field label="Before" help="How many ghosts of what has been.">
        <NumberField value={beforeCount.value} label="Ghosts before" min={1} max={20} step={1} digits={0} onInput={(value) => (beforeCount.value = Math.round(value))} />
      </Field>
      <Field label="Apart" help="Time from one ghost to the next.">
        <NumberField value={beforeSpacing.value} label="Time between ghosts" unit="s" min={0.01} max={2} step={0.01} digits={2} onInput={(value) => (beforeSpacing.value = value)} />
      </Field>
      <h3>Camera</h3>
      <div class="layers-views">
        {VIEWS.map(([id, title]) => (
          <Button key={id} kind="quiet" onClick={() => runCommand(`view.${id}`)} testid={`view-${id}`}>
            {title}
          </Button>
        ))}
      </div>
      <Toggle on={follow.value} label="Follow the character" help="The camera goes along with it." onChange={() => runCommand("view.follow")} testid="follow" />
    </>
  );
}

const VIEWS: [string, string][] = [
  ["quarter", "¾"],
  ["front", "Front"],
  ["side", "Side"],
  ["top", "Top"],
  ["frame", "Frame"],
];
