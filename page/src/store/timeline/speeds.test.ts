import { describe, expect, it } from "vitest";
import { listSpeeds, MAX, speedHelp, speedName, SPEEDS, stepSpeed } from "./speeds";

describe("speeds", () => {
  it("go up to as fast as possible and down to 1/32, and stay there", () => {
    let rate = 1 / 32;
    const walked = [rate];
    for (let k = 0; k < 20; k++) {
      rate = stepSpeed(rate, 1);
      if (rate !== walked.at(-1)) walked.push(rate);
    }
    expect(walked).toEqual(SPEEDS);
    expect(stepSpeed(MAX, 1)).toBe(MAX);
    expect(stepSpeed(MAX, -1)).toBe(4);
    expect(stepSpeed(1 / 32, -1)).toBe(1 / 32);
  });

  it("find their way back from a rate between two steps", () => {
    expect(stepSpeed(0.3, 1)).toBe(0.5);
    expect(stepSpeed(0.3, -1)).toBe(0.25);
  });

  it("are written as people say them", () => {
    expect(SPEEDS.map(speedName)).toEqual(["1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "Max"]);
    expect(speedName(0.3)).toBe("0.3");
    expect(speedHelp(1 / 8)).toContain("8 times slower");
  });

  it("offer the present one wherever it lies", () => {
    expect(listSpeeds(1 / 4)).toEqual([1 / 8, 1 / 4, 1 / 2, 1, 2, MAX]);
    expect(listSpeeds(4)).toEqual([1 / 8, 1 / 4, 1 / 2, 1, 2, 4, MAX]);
    expect(listSpeeds(1 / 32)[0]).toBe(1 / 32);
    expect(listSpeeds(MAX)).toEqual([1 / 8, 1 / 4, 1 / 2, 1, 2, MAX]);
  });
});
