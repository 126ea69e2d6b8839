import { describe, expect, it } from "vitest";
import { choices, MAX, speedHelp, speedName, SPEEDS, stepped } from "./speeds";

describe("speeds", () => {
  it("go up to as fast as possible and down to 1/32, and stay there", () => {
    let rate = 1 / 32;
    const walked = [rate];
    for (let k = 0; k < 20; k++) {
      rate = stepped(rate, 1);
      if (rate !== walked.at(-1)) walked.push(rate);
    }
    expect(walked).toEqual(SPEEDS);
    expect(stepped(MAX, 1)).toBe(MAX);
    expect(stepped(MAX, -1)).toBe(4);
    expect(stepped(1 / 32, -1)).toBe(1 / 32);
  });

  it("find their way back from a rate between two steps", () => {
    expect(stepped(0.3, 1)).toBe(0.5);
    expect(stepped(0.3, -1)).toBe(0.25);
  });

  it("are written as people say them", () => {
    expect(SPEEDS.map(speedName)).toEqual(["1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "Max"]);
    expect(speedName(0.3)).toBe("0.3");
    expect(speedHelp(1 / 8)).toContain("8 times slower");
  });

  it("offer the present one wherever it lies", () => {
    expect(choices(1 / 4)).toEqual([1 / 8, 1 / 4, 1 / 2, 1, 2, MAX]);
    expect(choices(4)).toEqual([1 / 8, 1 / 4, 1 / 2, 1, 2, 4, MAX]);
    expect(choices(1 / 32)[0]).toBe(1 / 32);
    expect(choices(MAX)).toEqual([1 / 8, 1 / 4, 1 / 2, 1, 2, MAX]);
  });
});
