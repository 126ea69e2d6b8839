import { expect, it } from "vitest";
import { formatAge, formatBytes } from "./ages";

it("says how long ago something was", () => {
  const now = 1_000_000_000_000;
  const before = (seconds: number) => formatAge(now / 1000 - seconds, now);
  expect(before(3)).toBe("just now");
  expect(before(50)).toBe("50 seconds ago");
  expect(before(300)).toBe("5 minutes ago");
  expect(before(7200)).toBe("2 hours ago");
  expect(before(86400)).toBe("yesterday");
  expect(before(86400 * 70)).toBe("2 months ago");
  expect(before(-60)).toBe("just now");
  expect(formatAge("2001-09-09T01:46:40Z", now + 120_000)).toBe("2 minutes ago");
  expect(formatAge("nonsense")).toBe("");
});

it("writes sizes of files", () => {
  expect([0, 999, 1400, 25_300_000, 3e9].map(formatBytes)).toEqual(["0 B", "999 B", "1.4 kB", "25 MB", "3.0 GB"]);
});
