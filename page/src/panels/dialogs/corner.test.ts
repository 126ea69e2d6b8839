import { afterEach, describe, expect, it, vi } from "vitest";
import { findCorner } from "./corner";

describe("the corner for messages", () => {
  afterEach(() => vi.unstubAllGlobals());
  it("is that of the stage", () => {
    vi.stubGlobal("innerWidth", 1280);
    vi.stubGlobal("innerHeight", 720);
    expect(findCorner({ right: 968, bottom: 563 })).toEqual({ right: 328, bottom: 173, width: 340 });
    expect(findCorner(undefined)).toEqual({ right: 16, bottom: 16, width: 340 });
  });
  it("leaves no message outside a small window", () => {
    vi.stubGlobal("innerWidth", 360);
    vi.stubGlobal("innerHeight", 640);
    const { right, width } = findCorner({ right: 322, bottom: 480 });
    expect(360 - right - width).toBe(8);
  });
});
