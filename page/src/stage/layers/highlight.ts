/** What is meant: the bone that a hand would take, and the one that is selected. */

import { Group, type BufferAttribute } from "three";
import { editing } from "../../store/workspace";
import { hover } from "../../store/grabs";
import { directing, mode, selected } from "../../store";
import { softenValues } from "../../geometry/soften";
import { toWorld, type Vec } from "../../geometry/vectors";
import { token } from "../palette";
import { DISC, Dots, RING } from "../parts/dots";
import type { Figure } from "../parts/figure";
import { Octahedra } from "../parts/octahedra";
import type { Moment, World } from "../world";

export class Highlight extends Group {
  private readonly bones: Octahedra;
  private readonly dots = new Dots({ order: 22 });
  private lit = -1;
  /** Whether there is a centre of gravity that a hand could move. */
  private readonly movable: boolean;

  constructor(private readonly world: World, private readonly figure: Figure) {
    super();
    this.movable = world.scene.characters.some((character) => character.root_free);
    this.bones = new Octahedra(world, 0.55, 21);
    this.add(this.bones, this.dots);
  }

  update({ poses }: Moment, center: Float32Array): void {
    const aim = hover.aim;
    this.glow(aim?.body ?? -1);
    this.bones.begin();
    this.dots.begin();
    if (selected.value >= 0) this.bones.put(poses, selected.value, token("focus"));
    if (mode.value === "center" && directing.value && (this.movable || editing.value)) {
      const at: Vec = [center[0] as number, center[1] as number, center[2] as number];
      this.dots.put(at, { size: 11, color: token("center"), shape: DISC });
      this.dots.put(at, { size: 26, color: token("center"), shape: RING });
    }
    if (aim) {
      if (aim.body !== selected.value) this.bones.put(poses, aim.body, token("accent"));
      const at = toWorld(poses, aim.body, aim.point);
      this.dots.put(at, { size: 7, color: token("accent"), shape: DISC });
      this.dots.put(at, { size: 14, color: token("accent"), alpha: 0.7, shape: RING });
    }
    this.bones.end();
    this.dots.end();
  }

  dispose(): void {
    this.bones.dispose();
    this.dots.dispose();
  }

  /** Light up the part of the surface that belongs to a bone. */
  private glow(bone: number): void {
    const { skin } = this.world;
    if (bone === this.lit || !skin || !this.figure.surface) return;
    this.lit = bone;
    const attribute = this.figure.surface.geometry.getAttribute("glow") as BufferAttribute;
    const values = attribute.array as Float32Array;
    for (let k = 0; k < values.length; k++) values[k] = bone >= 0 && skin.bones[k] === bone ? 1 : 0;
    if (bone >= 0) softenValues(values, skin.triangles, 6);
    attribute.needsUpdate = true;
  }
}
