import { ask, Refused } from "../wire/connection";

export type Outcome<T> = { ok: true; result: T } | { ok: false; error: string };

/** Like `act`, but a refusal comes back, for a dialog that shows it in its place. */
export async function attempt<T = unknown>(command: string, args: Record<string, unknown> = {}): Promise<Outcome<T>> {
  try {
    return { ok: true, result: await ask<T>({ type: "do", command, arguments: args }) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, error: error.message };
  }
}
