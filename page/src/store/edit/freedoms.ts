/** What may change beside the start, if a person allows it. */

interface FreedomWords {
  /** As the studio calls it. */
  name: string;
  label: string;
  help: string;
}

export const FREEDOMS: FreedomWords[] = [
  { name: "times", label: "Times", help: "When it grips and lets go may move." },
  { name: "push", label: "Small pushes", help: "Small pushes where it grips or lets go, too small to notice: the motion looks right, but is not exact." },
  { name: "gravity", label: "Gravity", help: "How strongly, and in which direction, things fall." },
  { name: "masses", label: "Masses", help: "How heavy each body is." },
  { name: "muscles", label: "Muscles", help: "Joints may push by themselves along the way, smoothly." },
];

/** How many numbers tell the push of a muscle over the motion. */
const KNOTS = 6;

/** Which of them the studio knows, and make sense for a motion in which so many things happen. */
export function listFreedoms(options: Record<string, unknown>, transitions: number): FreedomWords[] {
  return FREEDOMS.filter(({ name }) => name in options && (transitions > 0 || (name !== "times" && name !== "push")));
}

/** Names that attributes have among the freedoms. */
const ALLOWED_BY: Record<string, string> = { time: "times", push: "push", gravity: "gravity", mass: "masses", muscle: "muscles" };

/** Whether an attribute can change at all: it is some body's, or it was allowed. */
export function canChange(attribute: string, bodies: ReadonlySet<string>, options: Record<string, unknown>): boolean {
  const by = ALLOWED_BY[attribute];
  return by === undefined ? bodies.has(attribute) : isAllowed(options[by]);
}

export function isAllowed(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** What the studio is told when a switch is turned: muscles are said joint by joint. */
export function toggleFreedom(name: string, on: boolean, joints: readonly string[]): unknown {
  if (name !== "muscles") return on;
  return on ? Object.fromEntries(joints.map((joint) => [joint, KNOTS])) : {};
}
