/** The layers, as a list shows them. */

import type { Layer } from ".";

export interface LayerName {
  name: Layer;
  title: string;
  /** The digit that switches it. */
  key?: string;
  help: string;
}

export const LAYERS: LayerName[] = [
  { name: "surface", title: "Surface", key: "1", help: "The skin of the character." },
  { name: "skeleton", title: "Skeleton", key: "2", help: "Bones and joints, seen through the skin. Limp ones are grey." },
  { name: "center", title: "Balance", key: "3", help: "The centre of gravity, the point of the floor below it, and the area stood on: green while it is inside." },
  { name: "contacts", title: "Contacts", key: "4", help: "Where the character touches, and how hard." },
  { name: "torques", title: "Strength", key: "5", help: "How hard each joint works; a full red ring is all it can give." },
  { name: "trails", title: "Trails", key: "6", help: "The way of the selected bone and of the centre of gravity." },
  { name: "before", title: "Ghosts before", key: "7", help: "The character as it was a moment ago." },
  { name: "ahead", title: "Ghosts ahead", key: "8", help: "The character as it would be if you changed nothing more." },
  { name: "cage", title: "Cage", key: "9", help: "The tetrahedra that carry the flesh." },
  { name: "nodes", title: "Nodes", help: "Points of the flesh: black ones are fixed to bones, red ones are free; larger ones are heavier." },
  { name: "flagged", title: "Deformed elements", help: "Inverted or strongly deformed elements of the flesh." },
  { name: "active", title: "Active joints", help: "With the adaptive engine: bodies whose joint moves now are bright, those that are held are calm." },
  { name: "grid", title: "Grid", help: "Lines on the floor." },
];
