/** Joints that move now in a bright colour, those that are held calm. */

import type { Color } from "three";
import { moves } from "../../wire/frames";
import { isLight, token } from "../palette";
import type { Shape } from "../world";
import type { Figure } from "./figure";

/** How much of the colour of a shape gives way where its joint is held. */
const CALM = 0.9;
/** How much larger what moves is drawn: of two bodies in one place it is the one to be seen. */
const RAISED = 1.015;

export class MovingPaint {
  /** The bits that are painted; null while shapes have their own colours. */
  private shown: Uint32Array | null = null;
  private light = false;

  constructor(private readonly figure: Pick<Figure, "paint">) {}

  /** Paint what has changed; no words, or `on` false, for the shapes' own colours. */
  update(words: Uint32Array, on: boolean): void {
    if (!on || words.length === 0) {
      if (this.shown) this.figure.paint(own);
      this.shown = null;
      return;
    }
    const before = this.light === isLight() ? this.shown : null;
    if (before && same(before, words)) return;
    const color = (shape: Shape, out: Color) =>
      shape.body < 0 ? own(shape, out) : moves(words, shape.body) ? out.copy(token("active")) : own(shape, out).lerp(token("held"), CALM);
    const size = ({ body }: Shape) => (body >= 0 && moves(words, body) ? RAISED : 1);
    this.figure.paint(color, before ? ({ body }) => body >= 0 && moves(before, body) !== moves(words, body) : undefined, size);
    this.shown = words.slice();
    this.light = isLight();
  }
}

const own = ({ color }: Shape, out: Color): Color => out.setRGB(color[0], color[1], color[2], "srgb");

function same(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((word, k) => word === b[k]);
}
