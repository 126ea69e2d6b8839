/** Finding things by a few letters: every letter in its order, better at the beginnings of words and side by side. */

export interface Match {
  score: number;
  /** Which letters of the text were found, to draw them bold. */
  places: number[];
}

const NONE = -Infinity;
const NEXT = 8;
const WORD = 6;
const FIRST = 2;
const LATE = 0.1;
const GAP = 0.4;
const FARTHEST = 12;

/** How well `query` fits `text`; null if a letter is missing. An empty query fits everything equally. */
export function match(query: string, text: string): Match | null {
  const wanted = letters(query);
  if (wanted.length === 0) return { score: 0, places: [] };
  const there = [...text.toLowerCase()];
  if (wanted.length > there.length) return null;
  const { best, from } = table(wanted, there, [...text]);
  const last = best[wanted.length - 1] as number[];
  let end = -1;
  for (let j = 0; j < last.length; j++) if (end < 0 || (last[j] as number) > (last[end] as number)) end = j;
  const score = last[end] as number;
  if (score === NONE) return null;
  const places = Array.from(wanted, () => 0);
  for (let i = wanted.length - 1, j = end; i >= 0; i--) {
    places[i] = j;
    j = (from[i] as number[])[j] as number;
  }
  // Of two that fit alike, the shorter one was meant.
  return { score: score - 0.02 * there.length, places };
}

/** The things that fit, best first; what fits alike keeps its order. */
export function rank<T>(query: string, things: readonly T[], text: (thing: T) => string): { thing: T; match: Match }[] {
  const found: { thing: T; match: Match }[] = [];
  for (const thing of things) {
    const fit = match(query, text(thing));
    if (fit) found.push({ thing, match: fit });
  }
  return found.sort((a, b) => b.match.score - a.match.score);
}

/** Whether a long text holds every word of the query: scattered letters would be found in any of them. */
export function holds(query: string, text: string): boolean {
  const there = text.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => there.includes(word));
}

/** First what fits by its title, best first, then what says the words elsewhere. */
export function search<T>(query: string, things: readonly T[], title: (thing: T) => string, rest: (thing: T) => string): T[] {
  const titled = rank(query, things, title).map(({ thing }) => thing);
  return [...titled, ...things.filter((thing) => !titled.includes(thing) && holds(query, rest(thing)))];
}

function letters(query: string): string[] {
  return [...query.toLowerCase()].filter((letter) => letter.trim() !== "");
}

/** best[i][j]: the best score with letter i of the query at place j of the text; from[i][j]: where letter i - 1 is then. */
function table(wanted: string[], there: string[], text: string[]): { best: number[][]; from: number[][] } {
  const best: number[][] = [];
  const from: number[][] = [];
  for (let i = 0; i < wanted.length; i++) {
    const row = Array.from(there, () => NONE);
    const origin = Array.from(there, () => -1);
    const before = best[i - 1];
    for (let j = i; j < there.length; j++) {
      if (there[j] !== wanted[i]) continue;
      const own = bonus(text, j);
      if (!before) {
        row[j] = own - LATE * Math.min(j, FARTHEST);
        continue;
      }
      for (let k = i - 1; k < j; k++) {
        if (before[k] === NONE) continue;
        const way = k === j - 1 ? NEXT : -GAP * Math.min(j - k, FARTHEST);
        const sum = (before[k] as number) + own + way;
        if (sum > (row[j] as number)) {
          row[j] = sum;
          origin[j] = k;
        }
      }
    }
    best.push(row);
    from.push(origin);
  }
  return { best, from };
}

function bonus(text: string[], j: number): number {
  if (j === 0) return WORD + FIRST;
  const before = text[j - 1] as string;
  const here = text[j] as string;
  if (!/[\p{L}\p{N}]/u.test(before)) return WORD;
  return /\p{Ll}/u.test(before) && /\p{Lu}/u.test(here) ? WORD : 1;
}
