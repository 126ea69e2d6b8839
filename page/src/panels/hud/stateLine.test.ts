import { expect, it } from "vitest";
import type { Status } from "../../wire/messages";
import { formatSpeed, describeState } from "./stateLine";

const status: Status = {
  type: "status", mode: "live", time: 1, lane: 0, present: true, stale: false, rate: 0.25, begin: 0, end: 1, loop: false, range: null,
  real_time: 3, frames: 60, latency: 8, director: 1, pages: 1, posing: false, auto_key: false, preparing: null, trouble: "", at_limits: {}, saturated: 0, detail: null, jobs: [],
};
const texts = (change: Partial<Status>, trip = -1) => describeState({ ...status, ...change }, trip).map((part) => part.text);

it("writes speeds as people do", () => {
  expect([0.25, 0.5, 1 / 16, 1, 2, 0.3, -1].map(formatSpeed)).toEqual(["¼×", "½×", "1/16×", "1×", "2×", "0.3×", "as fast as possible"]);
});

it("tells speed, frames and latency", () => {
  expect(texts({})).toEqual(["Live ¼×", "3.0× real time possible", "60 frames/s", "8 ms"]);
  expect(texts({}, 21.4).at(-1)).toBe("21 ms");
  expect(texts({ mode: "paused" }, 21.4)).toEqual(["Paused"]);
});

it("does not hide what is poor", () => {
  const parts = describeState({ ...status, rate: 1, real_time: 0.4, frames: 12, saturated: 2 }, 90);
  expect(parts.filter((part) => part.poor).map((part) => part.name)).toEqual(["factor", "frames", "latency", "strength"]);
});

it("tells how many joints move where not all do", () => {
  const detail = { moving: 1000, joints: 17600, most: 88, characters: 200, error: -1, step: -1, follows: false, near: -1, far: -1, hidden: 0, asleep: 0, whole: -1 };
  expect(texts({ detail })).toContain("1,000 of 17,600 joints move");
  expect(texts({ mode: "paused", detail })).toEqual(["Paused", "1,000 of 17,600 joints move"]);
  expect(texts({ mode: "paused", detail: { ...detail, moving: 17600 } })).toEqual(["Paused"]);
});
