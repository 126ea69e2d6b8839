/** How an edit is said: kinds of nails, transitions, attributes, errors. */

import { formatName, capitalize } from "../../ui/text";
import type { IconName } from "../../ui";
import type { BodyInfo, NailInfo, TransitionInfo } from "../../wire/messages";

/** Something that can be wanted or changed, and how it is said. */
export interface Words {
  /** As the studio calls it. */
  name: string;
  label: string;
  icon: IconName;
  help: string;
}

/** The words for a name; for one that is not known as good as can be. */
const wordsOf = (known: Words[], name: string, icon: IconName): Words => known.find((words) => words.name === name) ?? { name, label: capitalize(formatName(name)), icon, help: "" };

/** Kinds of nails: what each holds. */
export const KINDS: Words[] = [
  { name: "point", label: "Place", icon: "pin", help: "The point is here at this moment." },
  { name: "velocity", label: "Velocity", icon: "velocity", help: "The point moves like this at this moment. Drag the tip of its arrow." },
  { name: "rotation", label: "Turn", icon: "turn", help: "The body is turned like this at this moment. Drag its rings." },
  { name: "joint", label: "Bend", icon: "joint", help: "The joint is bent like this at this moment, wherever the body is." },
  { name: "spin", label: "Spin", icon: "spin", help: "The body spins like this at this moment, about its arrow." },
  { name: "center", label: "Balance", icon: "center", help: "The centre of gravity of the whole is here at this moment." },
];

/** Kinds that follow from something else that was done, and are not set by hand. */
const FOUND: Words[] = [
  { name: "center velocity", label: "Centre-of-mass velocity", icon: "center", help: "The centre of gravity moves like this at this moment." },
  { name: "pose", label: "Pose", icon: "pose", help: "The whole body has this pose at this moment." },
];

export const kindWords = (kind: string): Words => wordsOf([...KINDS, ...FOUND], kind, "pin");

const WHOLE = new Set(["center", "center velocity", "pose"]);

/** "Place · hand", "Balance". */
export function nailName({ kind, body }: Pick<NailInfo, "kind" | "body">): string {
  const { label } = kindWords(kind);
  return body && !WHOLE.has(kind) ? `${label} · ${formatName(body)}` : label;
}

/** The same, with a number where another nail of this moment would be called alike. */
export function nailTitle(nail: NailInfo, nails: readonly NailInfo[]): string {
  const name = nailName(nail);
  const alike = nails.filter((other) => isTogether(other, nail) && nailName(other) === name);
  return alike.length > 1 ? `${name} (${alike.findIndex(({ id }) => id === nail.id) + 1})` : name;
}

const isTogether = (a: Pick<NailInfo, "time">, b: Pick<NailInfo, "time">): boolean => Math.abs(a.time - b.time) < 1e-3;

/** Where a nail stands among those of its moment, so that none hides another: -0.5 to 0.5, 0 if it is alone. */
export function findFanOffset(nail: NailInfo, nails: readonly NailInfo[]): number {
  const here = nails.filter((other) => isTogether(other, nail));
  return here.length > 1 ? here.findIndex(({ id }) => id === nail.id) / (here.length - 1) - 0.5 : 0;
}

/** How far a nail is from being met, in its own unit. */
export function nailError({ kind, error }: Pick<NailInfo, "kind" | "error">): string {
  if (!Number.isFinite(error)) return "";
  if (kind === "rotation" || kind === "joint") return `${short((error * 180) / Math.PI)}°`;
  if (kind === "spin") return `${short((error * 180) / Math.PI)}°/s`;
  if (kind === "velocity" || kind.endsWith("velocity")) return `${short(error)} m/s`;
  if (error < 0.01) return `${short(error * 1000)} mm`;
  return error < 1 ? `${short(error * 100)} cm` : `${short(error)} m`;
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size < 0.05) return "0";
  return size < 10 ? value.toFixed(1) : String(Math.round(value));
}

/** A warning as a person reads it: without the measure behind it, and beginning as a sentence does. */
export function shortenWarning(text: string): string {
  const short = text
    .replace(/: \d+(\.\d+)?% of the squared error would remain, expected \d+% at most/, "")
    .replace(/: the error would fall from \S+ to \S+, and then (it hardly falls any more|no step makes it smaller)/, "");
  return capitalize(short);
}

/** Kinds that a nail of a body can be: what has no joint of its own cannot be bent. */
export const listKinds = (body: Pick<BodyInfo, "loose" | "nv"> | undefined): Words[] =>
  body && (body.loose || body.nv === 0) ? KINDS.filter(({ name }) => name !== "joint") : KINDS;

const TRANSITIONS: Record<TransitionInfo["kind"], { name: string; icon: IconName }> = {
  grip: { name: "Grip", icon: "gripOn" },
  release: { name: "Let go", icon: "letGo" },
  bounce: { name: "Bounce", icon: "bounce" },
};

/** What happens between two stretches of the motion. */
export const transitionWords = (kind: TransitionInfo["kind"]) => TRANSITIONS[kind];

/** "Bounce · ball", "Let go". */
export function transitionName({ kind, body }: Pick<TransitionInfo, "kind" | "body">): string {
  const { name } = transitionWords(kind);
  return body ? `${name} · ${formatName(body)}` : name;
}

/** How something bounces, 0 to 1, as a person says it. */
export function describeRestitution(restitution: number): string {
  if (restitution < 0.03) return "dead";
  if (restitution < 0.4) return "dull";
  if (restitution < 0.75) return "lively";
  return restitution < 0.97 ? "springy" : "elastic";
}

/** Of the start of each body's joint. */
export const ATTRIBUTES: Words[] = [
  { name: "position", label: "Place", icon: "place", help: "where it begins" },
  { name: "velocity", label: "Velocity", icon: "velocity", help: "how fast it sets off" },
  { name: "rotation", label: "Turn", icon: "turn", help: "how it is turned or bent at the start" },
  { name: "angular velocity", label: "Spin", icon: "spin", help: "how fast it turns at the start" },
];

/** The rest, which is no body's own. */
const OTHERS: Words[] = [
  { name: "time", label: "Times", icon: "clock", help: "when it grips, lets go or bounces" },
  { name: "push", label: "Pushes", icon: "force", help: "small pushes where it grips or lets go, too small to notice" },
  { name: "gravity", label: "Gravity", icon: "down", help: "strength and direction of gravity" },
  { name: "mass", label: "Masses", icon: "mass", help: "how heavy the bodies are" },
  { name: "muscle", label: "Muscles", icon: "muscle", help: "how the joints push by themselves along the way" },
];

export const attributeWords = (name: string): Words => wordsOf([...ATTRIBUTES, ...OTHERS], name, "sliders");


/** How readily something is changed, 0.01 to 100, as a person says it. */
export function describeJointWeight(mass: number): string {
  if (mass < 0.06) return "changed first";
  if (mass < 0.6) return "rather changed";
  if (mass <= 1.7) return "as the others";
  return mass <= 17 ? "rather kept" : "changed last";
}

/** How much something counts beside others, as a person says it. */
export function describeWeight(strength: number): string {
  if (strength < 0.3) return "little";
  if (strength < 0.75) return "less";
  if (strength <= 1.35) return "normal";
  return strength < 4 ? "more" : "much";
}
