/** Ghosts: the character at other moments, paler the further away in time, and the path of its centre of gravity. */

import { Group, type Color, type ShaderMaterial } from "three";
import type { Ghosts } from "../../wire/frames";
import type { Vec } from "../../geometry/vectors";
import { Figure } from "../parts/figure";
import { ghostMaterial } from "../parts/materials";
import { Strokes } from "../parts/strokes";
import type { Moment, World } from "../world";

interface Shown {
  figure: Figure;
  material: ShaderMaterial;
}

export class GhostLayer extends Group {
  /** The newest that came, whether shown or not. */
  ghosts: Ghosts | null = null;
  private readonly pool: Shown[] = [];
  private readonly path: Strokes;
  private dirty = false;

  constructor(
    private readonly world: World,
    private readonly tint: Color,
    private readonly strength: number,
    /** Whether the first of them is the nearest in time. */
    private readonly nearestFirst: boolean,
  ) {
    super();
    this.path = new Strokes({ width: 2, opacity: 0.8, order: 5 });
    this.add(this.path);
  }

  take(ghosts: Ghosts): void {
    this.ghosts = ghosts;
    this.dirty = true;
  }

  /** The first of them, for hands that take hold of a pose; null if there is none. */
  first(): { moment: Moment; positions: Float32Array } | null {
    const [shown] = this.pool;
    if (!this.ghosts || !shown?.figure.visible) return null;
    const { poses, nodes } = this.ghosts;
    return { moment: { poses, nodes }, positions: shown.figure.positions };
  }

  /** Draw what came since the last time. */
  refresh(): void {
    if (!this.dirty) return;
    this.dirty = false;
    const ghosts = this.ghosts;
    const count = ghosts?.time.length ?? 0;
    while (this.pool.length < count) this.grow();
    this.pool.forEach(({ figure, material }, k) => {
      figure.visible = k < count;
      if (!ghosts || k >= count) return;
      figure.update(ghosts, 7 * k * ghosts.bodies, 3 * k * ghosts.nodeCount);
      const away = count > 1 ? k / (count - 1) : 0;
      const fade = 1 - 0.72 * (this.nearestFirst ? away : 1 - away);
      (material.uniforms.strength as { value: number }).value = this.strength * fade;
    });
    this.drawPath(ghosts);
  }

  dispose(): void {
    for (const { figure, material } of this.pool) {
      figure.dispose();
      material.dispose();
    }
    this.path.dispose();
  }

  private drawPath(ghosts: Ghosts | null): void {
    const points: Vec[] = [];
    const centers = ghosts?.centers ?? new Float32Array();
    for (let k = 0; k + 2 < centers.length; k += 3) {
      points.push([centers[k] as number, centers[k + 1] as number, centers[k + 2] as number]);
    }
    this.path.begin();
    this.path.path(points, this.tint);
    this.path.end();
  }

  private grow(): void {
    const material = ghostMaterial(this.tint, this.strength);
    // What never moves would only be drawn over itself.
    const shapes = this.world.shapes.filter((shape) => shape.body >= 0 && (!shape.covered || !this.world.skin));
    const figure = new Figure(this.world, { surface: material, shapes: material }, shapes);
    figure.reveal(true, true);
    figure.traverse((part) => (part.renderOrder = 4));
    this.pool.push({ figure, material });
    this.add(figure);
  }
}
