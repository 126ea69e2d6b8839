import { expect, it } from "vitest";
import { ownMass } from "./masses";

const bytes = (numbers: Float32Array | Int32Array) => new Uint8Array(numbers.buffer);
const flesh = {
  masses: bytes(new Float32Array([0.1, 0.2, 0.4, 0.8])),
  bones: bytes(new Int32Array([0, 1, 1, -1])),
  fixed: new Uint8Array([1, 1, 0, 1]),
};

it("takes away the flesh that is fixed to the bone, and no other", () => {
  expect(ownMass(1, 1, flesh)).toBe(0.8);
  expect(ownMass(1, 2, flesh)).toBe(1);
  expect(ownMass(1, 0, null)).toBe(1);
});

it("leaves nothing where rounding would", () => {
  expect(ownMass(0.1000000015, 0, flesh)).toBe(0);
});
