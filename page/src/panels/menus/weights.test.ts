import { expect, it } from "vitest";
import { describeWeight } from "./weights";

it("says in plain words how much something counts", () => {
  expect([0.1, 0.5, 1, 2, 10].map(describeWeight)).toEqual(["little", "less", "normal", "more", "much"]);
});
