// Written by `python -m stringless.studio.typescript` from messages/__init__.py of the studio. Do not edit.

import type { Scene } from "./scene";
import type { Document } from "./document";
import type { Status } from "./status";
import type { Edit } from "./editing";
import type { Answer, Log, Notice, Refusal, Welcome } from "./telling";

export * from "./basic";
export * from "./asking";
export * from "./scene";
export * from "./document";
export * from "./status";
export * from "./editing";
export * from "./telling";
export * from "./frames";

export type FromStudio = Welcome | Scene | Document | Status | Edit | Log | Answer | Refusal | Notice;
