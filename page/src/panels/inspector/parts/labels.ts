/** How kinds, states and distances are said. */

import { findGoalKind } from "../../../store/goals";
import { ICONS, type IconName } from "../../../ui/icons";
import { formatNumber } from "../../../ui/numbers";
import { formatName } from "../../../ui/text";
import type { BodyInfo, GoalInfo } from "../../../wire/messages";

export function goalIcon(kind: string): IconName {
  const icon = findGoalKind(kind)?.icon ?? "target";
  return icon in ICONS ? (icon as IconName) : "target";
}

export function goalName(goal: Pick<GoalInfo, "kind" | "bone">): string {
  const label = findGoalKind(goal.kind)?.label ?? goal.kind;
  return goal.bone ? `${label} ${formatName(goal.bone)}` : label;
}

/** "3.2 cm", or "12°" of an angle. */
export function formatDistance(value: number | undefined, unit: "m" | "rad"): string {
  if (value === undefined || !Number.isFinite(value)) return "";
  if (unit === "rad") return `${trimmed((value * 180) / Math.PI, 1)}°`;
  if (value < 0.01) return `${trimmed(value * 1000, 1)} mm`;
  return value < 1 ? `${trimmed(value * 100, 1)} cm` : `${trimmed(value, 2)} m`;
}

function trimmed(value: number, digits: number): string {
  return Math.abs(value) < 10 ? value.toFixed(digits) : String(Math.round(value));
}

/** Which of x, y and z count; null if the directions are others. */
export function axisLetters(axes: readonly (readonly number[])[]): string | null {
  let letters = "";
  for (const axis of axes) {
    const at = axis.findIndex((value) => Math.abs(Math.abs(value) - 1) < 1e-6);
    if (at < 0) return null;
    letters += "xyz"[at];
  }
  return [...letters].sort().join("");
}

/** Whether a limit is told in degrees: coordinate k of the joint turns, and does not slide. */
export const isAngle = ({ turns }: Pick<BodyInfo, "turns">, k: number): boolean => turns[k] ?? false;

/** Unit of what acts on a joint; of one that turns and slides both. */
export function effortUnit({ turns }: Pick<BodyInfo, "turns">): string {
  return turns.every(Boolean) ? "N·m" : turns.some(Boolean) ? "N·m, N" : "N";
}

/** "12, 8 N·m": what its actuators can do. */
export function formatStrength({ effort, turns }: Pick<BodyInfo, "effort" | "turns">): string {
  const unit = (k: number) => (turns[k] ? "N·m" : "N");
  const mixed = turns.some((turn) => turn !== turns[0]);
  const values = effort.map((value, k) => (value < 0 ? "∞" : formatNumber(value, 3)) + (mixed ? ` ${unit(k)}` : ""));
  return values.join(", ") + (mixed ? "" : ` ${unit(0)}`);
}

export function jointWord(kind: string): string {
  const words: Record<string, string> = {
    revolute: "hinge",
    ball: "ball joint",
    prismatic: "slider",
    planar: "moves in a plane",
    free: "moves freely",
    fixed: "fixed",
    universal: "universal joint",
  };
  return words[kind] ?? kind;
}
