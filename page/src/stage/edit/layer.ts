/** Everything that the stage shows of an edit beside the character itself. */

import { Group } from "three";
import { hover } from "../../store/grabs";
import { edit, scene, selected } from "../../store";
import type { Vec } from "../../geometry/vectors";
import type { World } from "../world";
import { Signs } from "./signs";
import { chosenNail, originalShown, editTime, motion, findNail, paths, draggedPoseTime, shownGhosts } from "../../store/edit/state";
import { MotionGhosts } from "./ghosts";
import { findMiddle, Trails, type TrailTarget } from "./trails";
import { WantedPoses } from "./wantedPoses";

export class EditLayer extends Group {
  private readonly strobes: MotionGhosts;
  private readonly trails: Trails;
  private readonly poses: WantedPoses;
  private readonly signs: Signs;

  constructor(private readonly world: World) {
    super();
    this.strobes = new MotionGhosts(world);
    this.trails = new Trails(world);
    this.poses = new WantedPoses(world);
    this.signs = new Signs(world);
    this.add(this.strobes, this.trails, this.poses, this.signs);
  }

  /** `fresh` if something may have changed beside what is pointed at. */
  update(fresh: boolean, forward: Vec): void {
    const [told, open] = [edit.peek(), motion.peek()];
    this.visible = told !== null && open !== null && open.epoch === this.world.scene.epoch;
    if (!told || !open || !this.visible) return;
    const at = editTime.peek();
    if (fresh) this.strobes.update(open, at, shownGhosts.peek(), originalShown.peek());
    this.trails.update(open, paths.peek(), this.meant(), originalShown.peek());
    this.poses.update(told, open, draggedPoseTime.peek());
    this.signs.update(told, open, at, chosenNail.peek(), forward);
  }

  dispose(): void {
    this.strobes.dispose();
    this.trails.dispose();
    this.poses.dispose();
    this.signs.dispose();
  }

  /** The body that is held or pointed at, else that of the chosen nail, else the selected one. */
  private meant(): TrailTarget | null {
    if (hover.aim) return hover.aim;
    const nail = findNail(chosenNail.peek());
    const named = scene.peek()?.bodies.findIndex(({ name }) => name === nail?.body) ?? -1;
    if (nail && named >= 0) return { body: named, point: nail.point };
    const body = selected.peek();
    return body >= 0 && body < this.world.scene.bodies.length ? { body, point: findMiddle(this.world, body) } : null;
  }
}

