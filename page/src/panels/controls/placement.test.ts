import { describe, expect, it } from "vitest";
import { beside, span } from "./placement";

describe("beside", () => {
  it("stands at the right as long as nothing is hidden there", () => {
    expect(beside([400, 500], 60, 900, 340)).toBe(560);
    expect(beside(span(), 60, 900, 340)).toBe(560);
  });
  it("goes to the left if it would hide the character, and there is room", () => {
    expect(beside([500, 620], 60, 900, 340)).toBe(60);
    expect(beside([200, 620], 60, 900, 340)).toBe(560);
  });
});
