/** How well a wish is met, from green to red. */

/** Errors so many times as large as what counts as met are as bad as can be. */
const WORST = 300;

/** 0 if it is met, 1 if it is far off; equal steps are equal factors. */
export function findSeverity(error: number, done: number): number {
  if (!(error > done)) return 0;
  return Math.min(1, 0.25 + (0.75 * Math.log(error / done)) / Math.log(WORST));
}

/** The same as a colour of the page. */
export function colorResidual(error: number, done: number): string {
  const bad = findSeverity(error, done);
  if (bad === 0) return "var(--good)";
  const share = (value: number) => `${Math.round(100 * value)}%`;
  return bad < 0.6 ? `color-mix(in srgb, var(--warn) ${share(bad / 0.6)}, var(--good))` : `color-mix(in srgb, var(--bad) ${share((bad - 0.6) / 0.4)}, var(--warn))`;
}

/** Earlier is like what has been, later like what is to come. */
export const colorTime = (share: number): string => `color-mix(in srgb, var(--ahead) ${Math.round(100 * share)}%, var(--before))`;
