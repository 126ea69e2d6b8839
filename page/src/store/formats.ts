/** The kinds of files that can be opened and written. The studio says them when it greets; nothing here knows any by itself. */

import type { FormatInfo } from "../wire/messages";
import { welcome } from "./studio";

type Kind = FormatInfo["kind"];

/** Formats of some kinds that can be opened or sent along; all of them if no kind is given. */
export function readers(...kinds: Kind[]): FormatInfo[] {
  return (welcome.value?.formats ?? []).filter((known) => !known.written && (kinds.length === 0 || kinds.includes(known.kind)));
}

/** Formats that a motion can be written in. */
export function motionWriters(): FormatInfo[] {
  return (welcome.value?.formats ?? []).filter((known) => known.written && known.kind === "motion");
}

/** The suffixes of some formats, each once. */
export function suffixes(formats: readonly FormatInfo[]): string[] {
  return [...new Set(formats.flatMap((known) => known.suffixes))];
}

/** What a project file ends in. */
export function projectSuffix(): string {
  return readers("project")[0]?.suffixes[0] ?? "";
}

/** A title without the suffix of a project. */
export function withoutSuffix(title: string): string {
  const end = projectSuffix();
  return end && title.endsWith(end) ? title.slice(0, -end.length) : title;
}
