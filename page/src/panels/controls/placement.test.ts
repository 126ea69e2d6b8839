import { describe, expect, it } from "vitest";
import { placeBeside, findSpan } from "./placement";

describe("beside", () => {
  it("stands at the right as long as nothing is hidden there", () => {
    expect(placeBeside([400, 500], 60, 900, 340)).toBe(560);
    expect(placeBeside(findSpan(), 60, 900, 340)).toBe(560);
  });
  it("goes to the left if it would hide the character, and there is room", () => {
    expect(placeBeside([500, 620], 60, 900, 340)).toBe(60);
    expect(placeBeside([200, 620], 60, 900, 340)).toBe(560);
  });
});
