/** What a layer is: something that is drawn, and brought up to date only while it is on. */

import type { Object3D } from "three";
import type { Frame } from "../../wire/frames";
import type { World } from "../world";

export interface Layer {
  readonly object: Object3D;
  update(frame: Frame): void;
  dispose(): void;
}

export type LayerMaker = (world: World) => Layer;
