/** Nails and transitions on the stage, in place: what is wanted, how far it is from being met, where something happens. */

import { Color, Group } from "three";
import type { Edit, NailInfo, TransitionInfo } from "../../wire/messages";
import { add, cross, distance, dot, norm, scale, sub, toWorld, type Vec } from "../../geometry/vectors";
import { token } from "../palette";
import { DISC, Dots, RING } from "../parts/dots";
import { Strokes } from "../parts/strokes";
import type { World } from "../world";
import { findHandle, isHere } from "./handles";
import { interpolatePoses, type Motion } from "../../store/edit/motion";
import { findSeverity } from "../../store/edit/residual";
import { findSignSize } from "./bounds";
import { dragBand } from "../../store/edit/state";

export class Signs extends Group {
  private readonly strokes = new Strokes({ width: 2.2, opacity: 0.95, order: 24 });
  private readonly pale = new Strokes({ width: 1.5, opacity: 0.5, order: 23 });
  private readonly dots = new Dots({ order: 25 });
  private readonly color = new Color();

  constructor(private readonly world: World) {
    super();
    this.add(this.pale, this.strokes, this.dots);
  }

  /** `forward` into the picture; `chosen` the nail that is meant. */
  update(edit: Edit, motion: Motion, moment: number, chosen: number | null, forward: Vec): void {
    for (const part of [this.strokes, this.pale, this.dots]) part.begin();
    for (const transition of edit.transitions) this.transition(transition, motion, moment);
    this.band();
    for (const nail of edit.nails) this.nail(nail, edit.done, moment, nail.id === chosen, forward);
    for (const part of [this.strokes, this.pale, this.dots]) part.end();
  }

  dispose(): void {
    this.strokes.dispose();
    this.pale.dispose();
    this.dots.dispose();
  }

  /** From what a hand holds to where it shall go. */
  private band(): void {
    if (!dragBand.now) return;
    const [from, to, color] = [dragBand.now.from(), dragBand.now.to, token("accent")];
    this.strokes.segment(from, to, color);
    this.dots.put(from, { size: 9, color, shape: DISC });
    this.dots.put(to, { size: 18, color, shape: RING });
    this.dots.put(to, { size: 4, color, shape: DISC });
  }

  private nail(nail: NailInfo, done: number, moment: number, chosen: boolean, forward: Vec): void {
    const size = findSignSize(this.world);
    const { from, at, root, turns } = findHandle(nail, size);
    const here = isHere(nail.time, moment);
    const alpha = here || chosen ? 1 : 0.55;
    const color = this.residual(nail.error, done);
    const strokes = here || chosen ? this.strokes : this.pale;
    if (root) {
      this.arrow(this.pale, root, from, token("text-2"), forward);
      this.arrow(strokes, root, at, color, forward);
      this.dots.put(root, { size: 5, color, alpha });
      this.dots.put(at, { size: 11, color, alpha, shape: DISC });
    } else if (turns) {
      // Of a whole pose the ghost says it.
      if (nail.kind !== "pose") this.dots.put(at, { size: 18, color, alpha, shape: RING });
      this.dots.put(at, { size: 7, color, alpha, shape: DISC });
    } else {
      const top: Vec = [at[0], at[1] + 0.09 * size, at[2]];
      if (distance(from, at) > 0.004 * size) strokes.segment(from, at, color);
      strokes.segment(at, top, color);
      this.dots.put(from, { size: 5, color, alpha });
      this.dots.put(at, { size: 7, color, alpha });
      this.dots.put(top, { size: 13, color, alpha, shape: DISC });
      if (nail.kind === "center") this.dots.put(at, { size: 17, color: token("center"), alpha, shape: RING });
    }
    if (chosen) this.dots.put(at, { size: 24, color: token("focus"), shape: RING });
  }

  private arrow(strokes: Strokes, from: Vec, to: Vec, color: Color, forward: Vec): void {
    const way = sub(to, from);
    const length = norm(way);
    if (length < 1e-4 * findSignSize(this.world)) return;
    strokes.segment(from, to, color);
    const side = cross(way, forward);
    const wide = norm(side);
    if (wide < 1e-9) return;
    const head = Math.min(0.3 * length, 0.06 * findSignSize(this.world));
    const back = add(to, scale(way, -head / length));
    for (const sign of [1, -1]) strokes.segment(to, add(back, scale(side, (0.5 * sign * head) / wide)), color);
  }

  private transition(transition: TransitionInfo, motion: Motion, moment: number): void {
    const body = this.world.scene.bodies.findIndex(({ name }) => name === transition.body);
    if (body < 0) return;
    const at = toWorld(interpolatePoses(motion.poses, motion, transition.time), body, transition.point);
    const { missed } = transition;
    const color = token(missed ? "bad" : transition.kind === "bounce" ? "force" : "pose");
    const alpha = isHere(transition.time, moment) ? 1 : 0.6;
    this.dots.put(at, { size: 15, color, alpha, shape: RING });
    this.dots.put(at, { size: 4, color, alpha, shape: DISC });
    const bar = barOf(transition.surface);
    const caught = bar && nearestOnLine(at, bar.point, bar.along);
    // From the hand to the bar that it misses.
    if (missed && caught) {
      this.strokes.segment(at, caught, color);
      this.dots.put(caught, { size: 9, color, shape: DISC });
    }
    this.surface(transition.surface, caught ?? at, color);
  }

  /** The plane or bar that is waited for, where it is met. */
  private surface(surface: Record<string, unknown> | null, at: Vec, color: Color): void {
    const long = 0.35 * findSignSize(this.world);
    const normal = direction(surface?.plane, "normal");
    const along = barOf(surface)?.along;
    if (normal) {
      const u = unit(cross(normal, Math.abs(normal[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
      const v = cross(normal, u);
      const corners = ([[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 1]] as const).map(([a, b]) => add(at, add(scale(u, a * long), scale(v, b * long))));
      this.pale.path(corners, color);
    } else if (along) this.pale.segment(add(at, scale(along, -long)), add(at, scale(along, long)), color);
  }

  private residual(error: number, done: number): Color {
    const bad = findSeverity(error, done);
    if (bad < 0.6) return this.color.copy(token("good")).lerp(token("warn"), bad / 0.6);
    return this.color.copy(token("warn")).lerp(token("bad"), (bad - 0.6) / 0.4);
  }
}

const unit = (v: Vec): Vec => scale(v, 1 / (norm(v) || 1));

/** Three numbers that a surface is told by. */
function numbers(surface: unknown, name: string): Vec | null {
  const value = typeof surface === "object" && surface !== null ? (surface as Record<string, unknown>)[name] : null;
  return Array.isArray(value) && value.length === 3 ? (value as Vec) : null;
}

function direction(surface: unknown, name: string): Vec | null {
  const found = numbers(surface, name);
  return found && unit(found);
}

function barOf(surface: Record<string, unknown> | null): { point: Vec; along: Vec } | null {
  const [point, along] = [numbers(surface?.bar, "point"), direction(surface?.bar, "direction_of")];
  return point && along && { point, along };
}

const nearestOnLine = (to: Vec, point: Vec, along: Vec): Vec => add(point, scale(along, dot(sub(to, point), along)));
