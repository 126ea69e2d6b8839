/** How much of the characters moves, with the adaptive engine: what was chosen, and how it is said. */

import type { BodyInfo, DetailInfo } from "../../../wire/messages";
import type { Parameter } from "../../controls/parameters";

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
  help: "Allowed kinetic-energy error of each character. The higher it is, the fewer joints are active.",
  unit: "J",
  min: 1e-4,
  max: 1e3,
  log: true,
  usual: null,
};

export const UPDATE: Parameter = {
  name: "update_every",
  label: "Update interval",
  help: "Steps between two updates of the active joints. Long intervals are cheaper, short ones follow the motion more closely.",
  unit: "steps",
  min: 1,
  max: 1000,
  step: 1,
  log: true,
  usual: 20,
};

/** What a person meets first who wants fewer joints, or an error. */
const FIRST_SHARE = 0.1;
/** For each kilogram of the lightest character [J]. */
const FIRST_ERROR = 1e-2;
/** Of that, for many in view: an error that follows the view is for who fills the picture, and most take up a tenth of its height. */
const FROM_AFAR = 1e-2;
/** How far an error can be changed from there, down and up. */
const REACH = 1e3;
/** A gain below this is noise. */
export const WORTH = 1.05;

export function findCriterion(parameters: Record<string, unknown>): By {
  if (parameters.max_error !== null && parameters.max_error !== undefined) return "error";
  return parameters.active === null || parameters.active === undefined ? "all" : "number";
}

/** An error that suits the lightest of the characters, which would be stopped first by one that is too large [J]. */
export function firstError(bodies: readonly Pick<BodyInfo, "parent" | "mass">[], afar = false): number {
  const masses = new Map<number, number>();
  const roots: number[] = [];
  bodies.forEach(({ parent, mass }, k) => {
    const root = parent < 0 ? k : (roots[parent] ?? k);
    roots.push(root);
    masses.set(root, (masses.get(root) ?? 0) + mass);
  });
  const lightest = Math.min(...[...masses.values()].filter((mass) => mass > 0));
  const share = afar ? FROM_AFAR : 1;
  return Number((share * FIRST_ERROR * (Number.isFinite(lightest) ? lightest : 1)).toPrecision(1));
}

/** Between which errors the slider goes; one that was set elsewhere is within. */
export function errorRange(first: number, value: number | null): { min: number; max: number } {
  const now = value !== null && value > 0 ? value : first;
  return { min: Math.min(first / REACH, now), max: Math.max(first * REACH, now) };
}

/** Parameters that choose by something else; `last` is what it was when it was used last, `first` an error that fits. */
export function chooseActive(by: By, most: number, last: { active: number | null; error: number | null }, first = FIRST_ERROR): Record<string, unknown> {
  if (by === "all") return { active: null, max_error: null };
  if (by === "error") return { active: null, max_error: last.error ?? first };
  return { active: Math.min(last.active ?? Math.max(1, Math.round(FIRST_SHARE * most)), most), max_error: null };
}

/** A number of the parameters; null if it is none, or another one for each character. */
export function readNumber(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** How long a step takes, as a person reads it. */
export function formatDuration(microseconds: number): string {
  if (microseconds < 0) return "…";
  if (microseconds < 1000) return `${Number(microseconds.toPrecision(3))} µs`;
  return `${Number((microseconds / 1000).toPrecision(3))} ms`;
}

/** How many times faster a step is than with all joints; 0 while nobody knows. */
export const findGain = ({ step, whole }: DetailInfo): number => (step > 0 && whole > 0 ? whole / step : 0);

/** The same in words; empty while nobody knows, if no step was taken yet, and where all of them move. */
export function formatGain(detail: DetailInfo, stepped = true): string {
  const times = findGain(detail);
  if (times === 0 || !stepped || detail.moving >= detail.joints) return "";
  if (times < WORTH) return "no faster than all of them";
  return `${times < 10 ? times.toFixed(1) : Math.round(times)}× faster than all of them`;
}

export const formatCount = (number: number): string => number.toLocaleString("en");

export const formatJoints = (number: number): string => `${formatCount(number)} joint${number === 1 ? "" : "s"}`;
