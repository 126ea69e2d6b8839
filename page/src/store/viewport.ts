/** The stage as commands and panels use it: where things are in the window, where the camera looks, a picture in another size. */

import type { Ray } from "../geometry/ray";
import type { Vec } from "../geometry/vectors";

export type Preset = "front" | "side" | "top" | "quarter";

export interface Camera {
  /** Draw the newest moment and hand over the canvas while the picture stands on it. */
  take: (copy: (canvas: HTMLCanvasElement) => void) => Promise<void>;
  /** Give the stage its size and its layers back. */
  end: () => void;
}

export interface Viewport {
  /** Poses of what is shown; null before the first frame. */
  readonly moment: { poses: Float32Array } | null;
  /** Into the picture. */
  readonly forward: Vec;
  /** Where a point of the world is in the window [px]. */
  project(x: number, y: number, z: number): { x: number; y: number };
  /** How far the shapes of a body reach along a ray in its axes [m]. */
  reach(body: number, ray: Ray): number;
  look(preset: Preset): void;
  /** Look at the selected bone, or at the whole character. */
  frameSelection(): void;
  /** Draw in a size of its own, with or without overlays, until it ends. */
  beginFilm(width: number, height: number, overlays: boolean): Camera;
}

let current: Viewport | null = null;

export function setViewport(viewport: Viewport | null): void {
  current = viewport;
}

export const viewport = (): Viewport | null => current;
