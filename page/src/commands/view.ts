/** Commands of the view: where the camera stands, and which layers are drawn. */

import { follow, layers, type Layer } from "../store";
import { viewport, type Preset } from "../store/viewport";
import { LAYERS } from "../store/layers";
import { registerCommands, type PageCommand } from "./registry";

const PRESETS: [Preset, string, string, string][] = [
  ["quarter", "Three-quarter view", "Shift+Digit1", "From the front, the side and above at once."],
  ["front", "Front view", "Shift+Digit2", "Look at the character's face."],
  ["side", "Side view", "Shift+Digit3", "Look from the side."],
  ["top", "Top view", "Shift+Digit4", "Look straight down."],
];

const presets = PRESETS.map(([preset, title, key, help]): PageCommand => ({
  id: `view.${preset}`,
  title,
  group: "View",
  keys: [key],
  shown: `Shift ${key.at(-1)}`,
  help,
  run: () => viewport()?.look(preset),
}));

export function toggleLayer(name: Layer): void {
  layers.value = { ...layers.value, [name]: !layers.value[name] };
}

const shown = LAYERS.map(({ name, title, key, help }): PageCommand => ({
  id: `layer.${name}`,
  title: `Layer: ${title.toLowerCase()}`,
  group: "View",
  ...(key ? { keys: [`Digit${key}`], shown: key } : {}),
  help,
  run: () => toggleLayer(name),
}));

registerCommands(
  {
    id: "view.frame",
    title: "Frame",
    group: "View",
    keys: ["KeyF"],
    help: "Bring the selected bone into view, or the whole character.",
    run: () => viewport()?.frameSelection(),
  },
  {
    id: "view.follow",
    title: "Follow",
    group: "View",
    keys: ["Shift+KeyV"],
    help: "The camera goes along with the character.",
    run: () => {
      follow.value = !follow.value;
      if (follow.value) viewport()?.frameSelection();
    },
  },
  ...presets,
  ...shown,
);
