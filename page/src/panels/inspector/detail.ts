/** How much of the characters moves, with the adaptive engine: what was chosen, and how it is said. */

import type { DetailInfo } from "../../wire/messages";
import type { Parameter } from "./parameters";

/** By what joints are left out: not at all, by a number, or by an error. */
export type By = "all" | "number" | "error";

export const ACTIVE: Parameter = {
  name: "active",
  label: "Joints that move",
  help: "How many joints of each character may move. The engine chooses which, so that the motion changes least. A root that floats moves always.",
  unit: "",
  min: 1,
  max: 1,
  step: 1,
  log: true,
  usual: null,
};

export const ERROR: Parameter = {
  name: "max_error",
  label: "Allowed error",
  help: "Energy of motion that may be missing of each character because joints are held. More of it lets fewer joints move.",
  unit: "J",
  min: 1e-4,
  max: 1e3,
  log: true,
  usual: null,
};

export const UPDATE: Parameter = {
  name: "update_every",
  label: "Choose again every",
  help: "After how many steps the joints that move are chosen anew. Rarely is cheaper, often follows the motion closer.",
  unit: "steps",
  min: 1,
  max: 1000,
  step: 1,
  log: true,
  usual: 20,
};

/** What a person meets first who wants fewer joints, or an error. */
const FIRST_SHARE = 0.1;
const FIRST_ERROR = 1;
/** A gain below this is noise. */
export const WORTH = 1.05;

export function chosenBy(parameters: Record<string, unknown>): By {
  if (parameters.max_error !== null && parameters.max_error !== undefined) return "error";
  return parameters.active === null || parameters.active === undefined ? "all" : "number";
}

/** Parameters that choose by something else; `last` is what it was when it was used last. */
export function choose(by: By, most: number, last: { active: number | null; error: number | null }): Record<string, unknown> {
  if (by === "all") return { active: null, max_error: null };
  if (by === "error") return { active: null, max_error: last.error ?? FIRST_ERROR };
  return { active: Math.min(last.active ?? Math.max(1, Math.round(FIRST_SHARE * most)), most), max_error: null };
}

/** A number of the parameters; null if it is none, or another one for each character. */
export function single(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** How long a step takes, as a person reads it. */
export function duration(microseconds: number): string {
  if (microseconds < 0) return "…";
  if (microseconds < 1000) return `${Number(microseconds.toPrecision(3))} µs`;
  return `${Number((microseconds / 1000).toPrecision(3))} ms`;
}

/** How many times faster a step is than with all joints; 0 while nobody knows. */
export const gain = ({ step, whole }: DetailInfo): number => (step > 0 && whole > 0 ? whole / step : 0);

/** The same in words; empty while nobody knows. */
export function faster(detail: DetailInfo): string {
  const times = gain(detail);
  if (times === 0) return "";
  if (times < WORTH) return "no faster than all of them";
  return `${times < 10 ? times.toFixed(1) : Math.round(times)}× faster than all of them`;
}

export const counted = (number: number): string => number.toLocaleString("en");

export const joints = (number: number): string => `${counted(number)} joint${number === 1 ? "" : "s"}`;
