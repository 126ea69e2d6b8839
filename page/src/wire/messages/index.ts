// Written by `python tools/typescript.py` from messages/__init__.py of the studio. Do not edit.

import type { Acknowledge, Do, Grab, Hello, Look, Move, Release, Seek, Wishes } from "./requests";
import type { Scene } from "./scene";
import type { Document } from "./document";
import type { Status } from "./status";
import type { Edit } from "./editing";
import type { Answer, Log, Notice, Refusal, Welcome } from "./replies";

export * from "./basic";
export * from "./requests";
export * from "./scene";
export * from "./document";
export * from "./status";
export * from "./editing";
export * from "./replies";
export * from "./frames";

export type FromPage = Hello | Do | Grab | Move | Release | Seek | Wishes | Look | Acknowledge;

export type FromStudio = Welcome | Scene | Document | Status | Edit | Log | Answer | Refusal | Notice;
