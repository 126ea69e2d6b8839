/** Parameters of the simulation as a person meets them: a name, a unit, a sensible range and a sentence. */

export interface Parameter {
  name: string;
  label: string;
  /** Plain words: what is it, what does more of it do. */
  help: string;
  unit: string;
  min: number;
  max: number;
  step?: number;
  /** Equal ways are equal factors. */
  log?: boolean;
  /** What it is if nobody has said anything; null if that differs from scene to scene. */
  usual: number | null;
  /** What is shown for one unit of the simulation: 1000 shows seconds as milliseconds. */
  factor?: number;
}

export const CONTACT: Parameter[] = [
  {
    name: "friction",
    label: "Friction",
    help: "How well skin grips what it touches. 0 is ice, 1 is rubber.",
    unit: "",
    min: 0,
    max: 2,
    step: 0.01,
    usual: 0.8,
  },
  {
    name: "restitution",
    label: "Restitution",
    help: "1 leaves contacts as elastic as the flesh is, 0 makes them inelastic.",
    unit: "",
    min: 0,
    max: 1,
    step: 0.01,
    usual: 1,
  },
  {
    name: "contact_stiffness",
    label: "Contact firmness",
    help: "How little things sink into each other. 1 is as firm as the step safely allows.",
    unit: "×",
    min: 0.1,
    max: 2,
    log: true,
    usual: 1,
  },
];

export const FLESH: Parameter[] = [
  {
    name: "flesh_stiffness",
    label: "Stiffness of all flesh",
    help: "Makes all flesh firmer or softer at once, on top of each part's own stiffness.",
    unit: "×",
    min: 0.05,
    max: 20,
    log: true,
    usual: 1,
  },
  {
    name: "flesh_damping",
    label: "Damping of all flesh",
    help: "Lets all flesh come to rest sooner or wobble longer, on top of each part's own damping.",
    unit: "×",
    min: 0,
    max: 10,
    step: 0.01,
    usual: 1,
  },
];

/** Of each part of the flesh. */
export const MATERIAL: Parameter[] = [
  {
    name: "young",
    label: "Stiffness",
    help: "How hard the flesh is to stretch (Young's modulus). 5 is jelly, 30 is muscle at rest, 300 is rubber.",
    unit: "kPa",
    min: 1,
    max: 1000,
    log: true,
    usual: null,
    factor: 1e-3,
  },
  {
    name: "poisson",
    label: "Poisson's ratio",
    help: "How much it bulges sideways when squeezed: 0 not at all, near 0.5 it keeps its volume.",
    unit: "",
    min: 0,
    max: 0.45,
    step: 0.005,
    usual: null,
  },
  {
    name: "damping",
    label: "Damping",
    help: "How fast a wobble dies out.",
    unit: "1/s",
    min: 0,
    max: 100,
    step: 0.1,
    usual: null,
  },
];

export const STEP: Parameter = {
  name: "dt",
  label: "Step",
  help: "Simulated time from one step to the next. Shorter is more exact and slower.",
  unit: "ms",
  min: 0.1,
  max: 5,
  log: true,
  usual: 1e-3,
  factor: 1e3,
};

/** An implicit step is stable at any length; a long one only damps more. */
export const LONG_STEP: Parameter = {
  ...STEP,
  help: "Simulated time from one step to the next. Stable at any length; shorter is more exact and damps less.",
  min: 1,
  max: 100,
};

export const STOPS: Parameter = {
  name: "stop_frequency",
  label: "Joint limit frequency",
  help: "How stiff joint limits are, as a natural frequency.",
  unit: "rad/s",
  min: 10,
  max: 1000,
  log: true,
  usual: 100,
};

export const NEWTON: Parameter = {
  name: "newton",
  label: "Newton iterations",
  help: "Solves in a step. Further ones take springs, limits and contacts where the step ends, not along their slope.",
  unit: "",
  min: 1,
  max: 20,
  step: 1,
  usual: 1,
};

export const SPRINGS: Parameter = {
  name: "joint_springs",
  label: "Strength",
  help: "Factor on the springs and dampers of all joints. 1 as the scene was made, 0 limp.",
  unit: "×",
  min: 0,
  max: 4,
  step: 0.01,
  usual: 1,
};

/** A parameter whose usual value the scene decides. */
export function usually(parameter: Parameter, usual: number | undefined): Parameter {
  return usual === undefined ? parameter : { ...parameter, usual };
}

export const DIRECTOR: Parameter[] = [
  {
    name: "limit_firmness",
    label: "Limit stiffness",
    help: "How strongly a directed joint slows down before it reaches a limit, as a natural frequency.",
    unit: "1/s",
    min: 5,
    max: 200,
    log: true,
    usual: 30,
  },
  {
    name: "counted_friction",
    label: "Assumed friction",
    help: "The coefficient of friction that the director assumes when the character pushes off. Below the real one it never slips.",
    unit: "",
    min: 0,
    max: 2,
    step: 0.01,
    usual: 0.6,
  },
  {
    name: "top_acceleration",
    label: "Top acceleration",
    help: "No directed joint is sped up faster than this. Drag it down for gentle, dreamy motion.",
    unit: "rad/s²",
    min: 10,
    max: 100_000,
    log: true,
    usual: Infinity,
  },
];

export function toShown(parameter: Parameter, value: number): number {
  return parameter.factor ? Number((value * parameter.factor).toPrecision(12)) : value;
}

export function fromShown(parameter: Parameter, value: number): number {
  return parameter.factor ? Number((value / parameter.factor).toPrecision(12)) : value;
}

/** Whether a value is what it usually is, but for rounding. */
export function isDefault(value: number, usual: number | null): boolean {
  if (usual === null) return true;
  return value === usual || Math.abs(value - usual) <= 1e-9 * Math.max(Math.abs(value), Math.abs(usual));
}
