/** How it stands, in a few quiet words: speed, frames a second, latency. Never better than it is. */

import type { Status } from "../../wire/messages";

interface StatePart {
  name: string;
  text: string;
  /** Worse than it should be. */
  poor: boolean;
}

/** A speed as a person writes it: ¼×, 2×, as fast as possible. */
export function formatSpeed(rate: number): string {
  if (rate < 0) return "as fast as possible";
  if (rate > 0 && rate < 1) {
    const part = 1 / rate;
    const whole = Math.round(part);
    if (Math.abs(part - whole) < 0.01) return `${FRACTIONS[whole] ?? `1/${whole}`}×`;
  }
  return `${Number(rate.toFixed(2))}×`;
}

const FRACTIONS: Record<number, string> = { 2: "½", 3: "⅓", 4: "¼", 8: "⅛" };

export function describeState(status: Status, roundTrip: number): StatePart[] {
  const { mode, rate, real_time: factor } = status;
  const verb = mode === "live" ? "Live" : mode === "replay" ? "Replay" : "Paused";
  const parts: StatePart[] = [{ name: "mode", text: mode === "paused" ? verb : `${verb} ${formatSpeed(rate)}`, poor: false }];
  if (mode === "live" && factor > 0) {
    // Below the wanted speed the simulation cannot keep up.
    const slow = rate > 0 && factor < rate;
    parts.push({ name: "factor", text: slow ? `only ${factor.toFixed(2)}× real time possible` : `${factor.toFixed(1)}× real time possible`, poor: slow });
  }
  if (mode !== "paused") parts.push({ name: "frames", text: `${Math.round(status.frames)} frames/s`, poor: status.frames < 30 });
  const detail = status.detail;
  if (detail && detail.moving < detail.joints) {
    parts.push({ name: "detail", text: `${detail.moving.toLocaleString("en")} of ${detail.joints.toLocaleString("en")} joints move`, poor: false });
  }
  if (mode === "paused") return parts;
  if (roundTrip >= 0) parts.push({ name: "latency", text: `${Math.round(roundTrip)} ms`, poor: roundTrip > 60 });
  else if (status.latency >= 0) parts.push({ name: "latency", text: `${Math.round(status.latency)} ms`, poor: status.latency > 60 });
  if (status.saturated > 0) parts.push({ name: "strength", text: `${status.saturated} ${status.saturated === 1 ? "joint" : "joints"} at full strength`, poor: true });
  return parts;
}
