/** How a rubber band looks: the further the target from what it pulls, the thinner and warmer. */

interface BandStyle {
  /** 0 slack, 1 fully stretched. */
  tension: number;
  /** [px] */
  width: number;
}

/** `gap` from the held point to its target, `size` of the character [m]. */
export function styleBand(gap: number, size: number): BandStyle {
  const tension = Math.min(1, gap / Math.max(size, 1e-6));
  return { tension, width: 4 - 2 * tension };
}
