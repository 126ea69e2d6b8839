// Written by `python tools/typescript.py` from messages/basic.py of the studio. Do not edit.

/** Increased whenever an older page would misunderstand a newer studio. */
export const VERSION = 6;

export type Vector = [number, number, number];

/** x, y, z, w. */
export type Quaternion = [number, number, number, number];
