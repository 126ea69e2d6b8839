// Written by `python tools/typescript.py` from frames.py of the studio. Do not edit.

/** First byte. */
export const FIRST_BYTE = {
  MESSAGE: 0,
  FRAME: 1,
  GHOSTS: 2,
} as const;

/** Flags of a frame. */
export const FLAG = {
  LIVE: 1,
  PRESENT: 2,
  STALE: 4,
  DIRECTED: 8,
  TOUCHING: 16,
} as const;

/** Roles of ghosts. */
export const ROLE = {
  AHEAD: 0,
  BEFORE: 1,
  POSE: 2,
} as const;

/** Numbers for each goal. */
export const GOAL = 11;

/** Bytes of a frame's header, and where each part of it begins. */
export const FRAME_HEADER = {
  size: 72,
  kind: 0,
  version: 1,
  flags: 2,
  sequence: 4,
  epoch: 8,
  input: 12,
  time: 16,
  wait: 24,
  real_time: 28,
  kinetic: 32,
  potential: 36,
  bodies: 40,
  nodes: 44,
  contacts: 48,
  goals: 52,
  flagged: 56,
  effort: 60,
  moving: 64,
  placed: 68,
} as const;

/** The same of ghosts. */
export const GHOSTS_HEADER = {
  size: 24,
  kind: 0,
  version: 1,
  role: 2,
  epoch: 4,
  count: 8,
  bodies: 12,
  nodes: 16,
  reserved: 20,
} as const;
