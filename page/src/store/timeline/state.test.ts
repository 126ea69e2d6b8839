import { afterEach, beforeEach, expect, it, vi } from "vitest";

const sent: { time: number; lane: number | null }[] = [];
vi.mock("../../wire/connection", async (original) => ({
  ...(await original<object>()),
  send: (message: { time: number; lane: number | null }) => (sent.push({ time: message.time, lane: message.lane }), true),
}));

const { seek, sendSeek } = await import("./state");
const { status, welcome } = await import("..");

let pictures: (() => void)[] = [];

beforeEach(() => {
  sent.length = 0;
  pictures = [];
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => pictures.push(run));
  welcome.value = { page: 1 } as never;
  status.value = { director: 1 } as never;
});
afterEach(() => vi.unstubAllGlobals());

const picture = () => pictures.splice(0).forEach((run) => run());

it("leaves at once, then one for each picture, the newest", () => {
  seek(1);
  expect(sent).toEqual([{ time: 1, lane: null }]);
  for (const time of [2, 3, 4]) seek(time, 7);
  expect(sent).toHaveLength(1);
  picture();
  expect(sent.slice(1)).toEqual([{ time: 4, lane: 7 }]);
  picture();
  expect(sent).toHaveLength(2);
});

it("does not stay behind when the hand lets go", () => {
  seek(1);
  seek(2);
  sendSeek();
  expect(sent.at(-1)?.time).toBe(2);
  picture();
  expect(sent).toHaveLength(2);
});

it("is left to the page that directs", () => {
  status.value = { director: 2 } as never;
  seek(1);
  expect(sent).toEqual([]);
});
