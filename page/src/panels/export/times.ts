/** Which moments of the record a film shows. */

export interface Film {
  start: number;
  end: number;
  /** Frames per second of the film. */
  fps: number;
  /** Seconds of the record per second of the film: 0.5 is slow motion. */
  speed: number;
}

/** A film of so many frames is as much as a browser keeps in memory without trouble. */
export const LONGEST = 36_000;

/** Time on record of each frame: the first at the start, none behind the end. */
export function frameTimes({ start, end, fps, speed }: Film): number[] {
  if (!(end >= start && fps > 0 && speed > 0)) return [];
  const step = speed / fps;
  // A span that is a whole number of frames but for rounding shall not lose its last one.
  const count = Math.min(Math.floor((end - start) / step + 1e-6) + 1, LONGEST);
  return Array.from({ length: count }, (_, k) => Math.min(start + k * step, end));
}

/** How long the film is [s]. */
export function findDuration(film: Film): number {
  return frameTimes(film).length / film.fps;
}
