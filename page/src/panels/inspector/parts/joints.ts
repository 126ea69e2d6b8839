/** Joints as a list shows them: what the scene, the document and the newest frame say of each. */

import type { Frame } from "../../../wire/frames";
import type { BodyInfo, JointState } from "../../../wire/messages";

export interface JointRow {
  body: BodyInfo;
  index: number;
  state: JointState | undefined;
}

/** Joints that can be directed. */
export function jointRows(bodies: readonly BodyInfo[], states: readonly JointState[]): JointRow[] {
  const known = new Map(states.map((state) => [state.name, state]));
  return bodies
    .map((body, index) => ({ body, index, state: known.get(body.joint) }))
    .filter(({ body }) => body.nv > 0 && body.effort.length > 0);
}

/** More joints than these make no list that anybody reads. */
const MANY = 500;

/** All joints, or of a crowd those of the character of a body; of the first one if none is chosen. */
export function ofOne(rows: JointRow[], chosen: number, many = MANY): JointRow[] {
  if (rows.length <= many) return rows;
  const character = (rows.find(({ index }) => index === chosen) ?? rows[0])?.body.character;
  return rows.filter(({ body }) => body.character === character);
}

/** How much of what its actuators can give a joint uses, 0 to 1; null if there is no bound. */
export function findLoad(body: BodyInfo, frame: Frame | null): number | null {
  if (!frame || body.effort.length === 0) return null;
  let most: number | null = null;
  for (const [k, bound] of body.effort.entries()) {
    const value = Math.abs(frame.effort[body.v + k] ?? 0);
    if (bound > 0) most = Math.max(most ?? 0, value / bound);
  }
  return most === null ? null : Math.min(most, 1);
}

/** The largest effort of a joint just now. */
export function effort(body: BodyInfo, frame: Frame | null): number {
  let most = 0;
  for (let k = 0; frame && k < body.nv; k++) most = Math.max(most, Math.abs(frame.effort[body.v + k] ?? 0));
  return most;
}

const DEGREE = Math.PI / 180;

export function toDegrees(value: number): number {
  return Number((value / DEGREE).toPrecision(10));
}

export function toRadians(value: number): number {
  return value * DEGREE;
}

/** Both limits with one changed, in order: a limit that is moved past the other takes it along. */
export function withLimit(limit: readonly [number, number], side: 0 | 1, value: number): [number, number] {
  return side === 0 ? [value, Math.max(value, limit[1])] : [Math.min(value, limit[0]), value];
}
