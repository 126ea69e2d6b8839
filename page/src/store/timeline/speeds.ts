/** How fast time passes, in steps that a person can name. */

/** As fast as possible, as the studio writes it. */
export const MAX = -1;
export const SPEEDS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, MAX];
/** Those that are always in sight. */
const SHOWN = [1 / 8, 1 / 4, 1 / 2, 1, 2, MAX];

const order = (rate: number) => (rate < 0 ? Infinity : rate);

/** The next step up (1) or down (-1); the same at the ends. */
export function stepSpeed(rate: number, direction: 1 | -1): number {
  const here = order(rate);
  const next =
    direction > 0
      ? SPEEDS.find((speed) => order(speed) > here * 1.001)
      : SPEEDS.findLast((speed) => order(speed) < here * 0.999);
  return next ?? rate;
}

export function speedName(rate: number): string {
  if (rate < 0) return "Max";
  const inverse = 1 / rate;
  if (rate < 1 && Math.abs(inverse - Math.round(inverse)) < 0.01) return `1/${Math.round(inverse)}`;
  return String(Number(rate.toPrecision(3)));
}

/** What it means, in a sentence. */
export function speedHelp(rate: number): string {
  if (rate < 0) return "As fast as this computer can.";
  if (Math.abs(rate - 1) < 0.001) return "As fast as the real thing.";
  if (rate > 1) return `${speedName(rate)} times as fast as the real thing.`;
  const slower = `${Number((1 / rate).toPrecision(3))} times slower than the real thing.`;
  return rate === 1 / 4 || rate === 1 / 8 ? `${slower} Good for directing by hand.` : slower;
}

/** The speeds to choose from: the usual ones, and the present one wherever it lies. */
export function listSpeeds(rate: number): number[] {
  const present = SPEEDS.find((speed) => Math.abs(order(speed) - order(rate)) < 1e-6 * order(speed)) ?? rate;
  const all = SHOWN.includes(present) || (present < 0 && SHOWN.includes(MAX)) ? SHOWN : [...SHOWN, present];
  return [...all].sort((a, b) => order(a) - order(b));
}
