/** Times in the past as a person says them. */

const STEPS: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [30, "day"],
  [12, "month"],
  [Infinity, "year"],
];

/** "5 minutes ago". Takes seconds since 1970, or a date as text. */
export function formatAge(time: number | string, now = Date.now()): string {
  const then = typeof time === "number" ? time * 1000 : Date.parse(time);
  if (!Number.isFinite(then)) return "";
  let span = Math.max(0, (now - then) / 1000);
  if (span < 45) return "just now";
  for (const [size, unit] of STEPS) {
    if (span < size) return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.round(span), unit);
    span /= size;
  }
  return "";
}

/** "1.4 MB". */
export function formatBytes(size: number): string {
  if (!(size >= 0)) return "";
  const units = ["B", "kB", "MB", "GB"];
  let k = 0;
  while (size >= 1000 && k < units.length - 1) {
    size /= 1000;
    k += 1;
  }
  return `${size < 10 && k > 0 ? size.toFixed(1) : Math.round(size)} ${units[k]}`;
}
