import { beforeEach, describe, expect, it } from "vitest";
import { doc, scene, status, tourSeen, welcome } from "../../store";
import type { Document, Scene, Status, Welcome } from "../../wire/messages";
import { beginTour, installTour, leaveTour, advanceTour, step, watchTour } from "./tourState";
import { TOURS, type Seen } from "./tourSteps";

const still: Seen = { held: false, live: false, present: true, lanes: 1, peeking: false, editing: false, moment: 0, dragging: false, nails: 0 };
const STEPS = TOURS.direct.steps;

describe("tour", () => {
  beforeEach(() => {
    leaveTour();
    beginTour();
  });
  it("goes on when the real thing was done, and not before", () => {
    watchTour(still);
    expect(step.value).toBe(0);
    watchTour({ ...still, held: true });
    expect(step.value).toBe(0);
    watchTour(still);
    expect(step.value).toBe(1);
    watchTour({ ...still, live: true });
    expect(step.value).toBe(2);
    watchTour({ ...still, live: false });
    expect(step.value).toBe(2);
    watchTour({ ...still, present: false });
    expect(step.value).toBe(3);
    watchTour({ ...still, live: true, lanes: 2 });
    expect(step.value).toBe(4);
    watchTour({ ...still, live: true, peeking: true });
    watchTour({ ...still, live: true });
    expect(step.value).toBe(5);
  });
  it("waits for a click where nothing is to be done, and ends after the last", () => {
    while (step.value < 5) advanceTour();
    watchTour({ ...still, live: true, held: true });
    expect(step.value).toBe(5);
    advanceTour();
    expect(step.value).toBe(STEPS.length - 1);
    advanceTour();
    expect(step.value).toBe(-1);
  });
  it("says what Space would do", () => {
    const space = STEPS[1]!;
    expect(space.title({ ...still, live: true })).not.toBe(space.title(still));
  });
  it("does nothing once it was left", () => {
    leaveTour();
    watchTour({ ...still, held: true });
    watchTour(still);
    expect(step.value).toBe(-1);
  });
  it("of the editor goes on by scrubbing, dragging, nailing and Done", () => {
    const open = { ...still, editing: true };
    beginTour("edit");
    watchTour({ ...open, moment: 0.4 });
    expect(step.value).toBe(1);
    watchTour({ ...open, moment: 0.4, dragging: true });
    expect(step.value).toBe(1);
    watchTour({ ...open, moment: 0.4 });
    expect(step.value).toBe(2);
    watchTour({ ...open, moment: 0.4, nails: 1 });
    expect(step.value).toBe(3);
    watchTour({ ...open, moment: 0.5 });
    watchTour(still);
    expect(step.value).toBe(-1);
  });
});

describe("the tour of a first start", () => {
  const engine = (name: string) => (doc.value = { supports: name === "adaptive" ? [] : ["goals"], goals: [], lanes: [] } as unknown as Document);

  it("begins only once it is known that somebody can be directed, and ends where nobody can", () => {
    leaveTour();
    tourSeen.value = false;
    const stop = installTour();
    welcome.value = { page: 1 } as Welcome;
    scene.value = { bodies: [] } as unknown as Scene;
    status.value = { director: 1, preparing: null, present: true } as unknown as Status;
    expect(step.value).toBe(-1);
    engine("adaptive");
    expect(step.value).toBe(-1);
    engine("reduced");
    expect(step.value).toBe(0);
    engine("adaptive");
    expect(step.value).toBe(-1);
    expect(tourSeen.value).toBe(false);
    stop();
    [welcome.value, scene.value, status.value, doc.value] = [null, null, null, null];
  });
});
