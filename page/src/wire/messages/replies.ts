// Written by `python tools/typescript.py` from messages/replies.py of the studio. Do not edit.

import type { GoalKindInfo } from "./document";

/** Answers `Hello`. */
export interface Welcome {
  type: "welcome";
  version: number;
  software: string;
  /** The number of this connection. */
  page: number;
  /** A different one means that the studio was restarted. */
  session: string;
  commands: CommandInfo[];
  /** Kinds of files that can be written. */
  keep: string[];
  /** All kinds of files that can be opened, sent along and written. */
  formats: FormatInfo[];
  /** All kinds of goals. */
  goals: GoalKindInfo[];
}

/** A kind of files. */
export interface FormatInfo {
  name: string;
  /** What such a file holds; meshes and parts only come along with a scene. */
  kind: "project" | "scene" | "mesh" | "motion" | "part";
  /** Whether it can be written; if not, it can be read. */
  written: boolean;
  /** In small letters, with the dot. */
  suffixes: string[];
  description: string;
  /** Empty if it has none. */
  media_type: string;
}

/** A command or action, as a list shows it. */
export interface CommandInfo {
  name: string;
  summary: string;
  signature: string;
}

/** Lines of Python that repeat what was done since the last ones. */
export interface Log {
  type: "log";
  lines: string[];
  /** Whether they replace all earlier lines. */
  reset: boolean;
}

/** The result of a `Do`, `Grab` or `Release`. */
export interface Answer {
  type: "answer";
  id: number;
  result: unknown;
}

/** Why something was not done; nothing has changed then. `id` is null if the message had none that could be read. */
export interface Refusal {
  type: "refusal";
  id: number | null;
  error: string;
}

/** A text for people to read. */
export interface Notice {
  type: "notice";
  level: "info" | "warning" | "error";
  text: string;
  /** What can be done about it. */
  offer: OfferInfo | null;
}

/** A button below a notice: `Do` with this command. */
export interface OfferInfo {
  label: string;
  command: string;
  arguments: Record<string, unknown>;
}
