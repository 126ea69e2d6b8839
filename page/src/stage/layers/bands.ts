/** Rubber bands from what is held to where it shall go; of the hands of this page at once, of all other goals as the studio tells. */

import { Color, Group } from "three";
import { doc, directing, status } from "../../store";
import type { Frame } from "../../wire/frames";
import { GOAL, type GoalInfo } from "../../wire/messages";
import { grabs, type Grab } from "../../store/grabs";
import { styleBand } from "../../geometry/band";
import { distance, toWorld, type Vec } from "../../geometry/vectors";
import { token, type Token } from "../palette";
import { DISC, Dots, RING } from "../parts/dots";
import { Strokes } from "../parts/strokes";
import type { Moment, World } from "../world";

const TINTS: Record<string, Token> = { drag: "accent", center: "center", turn: "turn", pin: "pin", pose: "pose" };

export class Bands extends Group {
  /** Thick while slack, thin when stretched: three widths are enough. */
  private readonly strokes = [3.6, 2.8, 2.0].map((width) => new Strokes({ width, opacity: 0.95, order: 24 }));
  private readonly dots = new Dots({ order: 25 });
  private readonly color = new Color();

  constructor(private readonly world: World) {
    super();
    this.add(...this.strokes, this.dots);
  }

  update(frame: Frame, shown: Moment): void {
    this.dots.begin();
    for (const strokes of this.strokes) strokes.begin();
    for (const held of grabs.values()) this.drawHeld(held, frame, shown);
    const own = new Set([...grabs.values()].map((held) => held.goal));
    const infos = new Map(doc.value?.goals.map((goal) => [goal.id, goal]));
    const late = directing.value && grabs.size > 0;
    for (let k = 0; k < frame.goals.length; k += GOAL) {
      const info = infos.get(frame.goals[k] as number);
      // Before the studio has told the number of a goal of this hand, it must not be drawn twice.
      if (!info || own.has(info.id) || (late && info.held && own.has(-1))) continue;
      this.drawGoal(info, frame.goals, k);
    }
    this.dots.end();
    for (const strokes of this.strokes) strokes.end();
  }

  dispose(): void {
    this.dots.dispose();
    for (const strokes of this.strokes) strokes.dispose();
  }

  private drawHeld(held: Grab, frame: Frame, shown: Moment): void {
    if (held.kind === "turn") return;
    const center: Vec = [frame.center[0] as number, frame.center[1] as number, frame.center[2] as number];
    const from = held.kind === "center" ? center : toWorld(shown.poses, held.body, held.point);
    const tint = held.kind === "center" ? "center" : status.value?.posing ? "pose" : "accent";
    this.band(from, held.target, token(tint), 1);
  }

  private drawGoal(info: GoalInfo, goals: Float32Array, k: number): void {
    const at: Vec = [goals[k + 1] as number, goals[k + 2] as number, goals[k + 3] as number];
    const target: Vec = [goals[k + 4] as number, goals[k + 5] as number, goals[k + 6] as number];
    if (!at.every(Number.isFinite) || !target.every(Number.isFinite)) return;
    const color = token(TINTS[info.kind] ?? "accent");
    if (info.kind === "pin") this.pin(info, at, target, color);
    else if (info.kind === "drag" || info.kind === "center") this.band(at, target, color, 0.75);
  }

  private band(from: Vec, to: Vec, color: Color, alpha: number): void {
    const look = styleBand(distance(from, to), this.world.size);
    const strokes = this.strokes[Math.min(2, Math.floor(3 * look.tension))] as Strokes;
    const warm = this.color.copy(color).lerp(token("bad"), 0.7 * look.tension);
    strokes.segment(from, to, color, warm);
    this.dots.put(from, { size: 9, color, alpha, shape: DISC });
    this.dots.put(to, { size: 18, color: warm, alpha, shape: RING });
    this.dots.put(to, { size: 4, color: warm, alpha, shape: DISC });
  }

  /** A head on a needle; level needles for one that holds the height alone. */
  private pin(info: GoalInfo, at: Vec, target: Vec, color: Color): void {
    const up = 0.09 * this.world.size;
    const place = info.axes.length > 0 ? target : at;
    const top: Vec = [place[0], place[1] + up, place[2]];
    const strokes = this.strokes[2] as Strokes;
    strokes.segment(place, top, color);
    if (distance(at, place) > 0.004 * this.world.size) strokes.segment(at, place, color);
    this.dots.put(top, { size: 13, color, shape: DISC });
    if (info.turns) this.dots.put(top, { size: 21, color, shape: RING });
    if (info.axes.length === 1) {
      strokes.segment([place[0] - up / 2, place[1], place[2]], [place[0] + up / 2, place[1], place[2]], color);
      strokes.segment([place[0], place[1], place[2] - up / 2], [place[0], place[1], place[2] + up / 2], color);
    }
    this.dots.put(place, { size: 5, color, shape: DISC });
  }
}
