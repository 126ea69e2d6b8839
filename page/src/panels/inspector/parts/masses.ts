import type { FleshInfo } from "../../../wire/messages";

/** The mass of a bone without the flesh that is fixed to it, which moves with it and is counted as its own. */
export function ownMass(mass: number, bone: number, flesh: Pick<FleshInfo, "masses" | "fixed" | "bones"> | null): number {
  if (!flesh) return mass;
  // Bytes of a message begin anywhere; numbers must begin at a multiple of four, hence the copies.
  const masses = new Float32Array(flesh.masses.slice().buffer);
  const bones = new Int32Array(flesh.bones.slice().buffer);
  let own = mass;
  for (let k = 0; k < masses.length; k++) if (bones[k] === bone && flesh.fixed[k] === 1) own -= masses[k] as number;
  // What single precision leaves over is nothing.
  return own > 1e-5 * mass ? Number(own.toPrecision(4)) : 0;
}
