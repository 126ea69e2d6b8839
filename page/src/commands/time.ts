/** Commands of time: live, replay, steps, speed, the range, markers, looking ahead. */

import { act, directable, doc, layers, peek, status, timelineOpen } from "../store";
import { speedName, stepSpeed } from "../store/timeline/speeds";
import { fitTimeline, looping, namedMarker, shownTime, range, findRecorded, seek } from "../store/timeline/state";
import { unlinked, unrecorded, watching } from "./reasons";
import { registerCommands, registerCommandsIn } from "./registry";

const unforeseen = () => (!directable.value ? "The engine of this scene cannot look ahead: let it run, then go back." : "");

/** Simulate on from what is looked at, or stand still. */
function playOrPause(): void {
  void act(status.value?.mode === "paused" ? "live" : "pause");
}

/** Where to replay from: the range if there is one; else from here, or from the beginning if here is the end. */
export function findReplayRange(
  chosen: [number, number] | null,
  loop: boolean,
  [begin, end]: [number, number],
  time: number,
): { start: number; end: number } {
  if (chosen) {
    const [start, stop] = chosen.map((t) => Math.min(end, Math.max(begin, t))) as [number, number];
    if (stop > start) return { start, end: stop };
  }
  return { start: loop || time >= end - 1e-6 ? begin : Math.max(begin, time), end };
}

function replayOrPause(): void {
  const state = status.value;
  if (!state) return;
  if (state.mode === "replay") void act("pause");
  else void act("replay", { ...findReplayRange(range.value, looping.value, findRecorded(), shownTime()), loop: looping.value });
}

/** The speed that was asked for last: the status that tells it comes a little later than the next press of the key. */
let asked: { rate: number; at: number } | null = null;

function changeSpeed(direction: 1 | -1): void {
  const fresh = asked !== null && performance.now() - asked.at < 400;
  const rate = fresh && asked ? asked.rate : (status.value?.rate ?? 1);
  const next = stepSpeed(rate, direction);
  if (speedName(next) === speedName(rate)) return;
  asked = { rate: next, at: performance.now() };
  void act("speed", { rate: next });
}

/** A loop that runs takes on what was changed about it. */
export function restartReplay(): void {
  if (status.value?.mode === "replay") {
    void act("replay", { ...findReplayRange(range.value, looping.value, findRecorded(), shownTime()), loop: looping.value });
  }
}

export function setRange(next: [number, number] | null): void {
  range.value = next;
  restartReplay();
}

function setRangeEnd(side: 0 | 1): void {
  const [begin, end] = range.value ?? findRecorded();
  const time = shownTime();
  if (side === 0) setRange([time, end > time ? end : Math.max(findRecorded()[1], time)]);
  else setRange([begin < time ? begin : findRecorded()[0], time]);
}

/** A name that no marker has yet. */
export function makeMarkerName(taken: string[]): string {
  let number = taken.length + 1;
  while (taken.includes(`Mark ${number}`)) number += 1;
  return `Mark ${number}`;
}

async function addMarker(): Promise<void> {
  const name = makeMarkerName((doc.value?.markers ?? []).map((marker) => marker.name));
  const before = doc.value?.markers.length ?? 0;
  await act("mark", { name, time: shownTime() });
  if ((doc.value?.markers.length ?? 0) >= before) namedMarker.value = name;
}

function goToMarker(direction: 1 | -1): void {
  const times = (doc.value?.markers ?? []).map((marker) => marker.time).sort((a, b) => a - b);
  const here = shownTime();
  const next =
    direction > 0 ? times.find((time) => time > here + 1e-4) : times.findLast((time) => time < here - 1e-4);
  if (next !== undefined) seek(next);
}

const noMarkers = () => watching() || (doc.value?.markers.length ? "" : "There are no markers yet.");

registerCommandsIn(
  "direct",
  {
    id: "time.play",
    title: "Live / pause",
    group: "Time",
    keys: ["Space"],
    help: "Simulate on from what you see, or stand still. What happens is recorded.",
    run: playOrPause,
    blocked: watching,
  },
  {
    id: "time.replay",
    title: "Replay",
    group: "Time",
    keys: ["Shift+Space"],
    help: "Show the record again, without simulating anything.",
    run: replayOrPause,
    blocked: () => watching() || unrecorded(),
  },
  {
    id: "time.resume",
    title: "Resume from here",
    group: "Time",
    help: "Simulate on from this moment of the past. It becomes a branch; what came after it before is kept.",
    run: () => void act("live"),
    blocked: () => watching() || (status.value?.present === false ? "" : "You look at the present already."),
  },
  {
    id: "time.start",
    title: "To the start",
    group: "Time",
    keys: ["Home"],
    help: "Go to the first moment on record.",
    run: () => seek(findRecorded()[0]),
    blocked: () => watching() || unrecorded(),
  },
  {
    id: "time.end",
    title: "Go to live",
    group: "Time",
    keys: ["End"],
    help: "Look at the simulation itself again, where it stands.",
    run: () => void act("present"),
    blocked: watching,
  },
  {
    id: "time.back",
    title: "Step back",
    group: "Time",
    keys: ["ArrowLeft", "Comma"],
    help: "One frame back.",
    run: () => void act("step", { frames: -1 }),
    blocked: () => watching() || unrecorded(),
  },
  {
    id: "time.forward",
    title: "Step forward",
    group: "Time",
    keys: ["ArrowRight", "Period"],
    help: "One frame on; at the end of the record, one is simulated.",
    run: () => void act("step", { frames: 1 }),
    blocked: watching,
  },
  {
    id: "time.back10",
    title: "Ten steps back",
    group: "Time",
    keys: ["Shift+ArrowLeft"],
    help: "Ten frames back.",
    run: () => void act("step", { frames: -10 }),
    blocked: () => watching() || unrecorded(),
  },
  {
    id: "time.forward10",
    title: "Ten steps forward",
    group: "Time",
    keys: ["Shift+ArrowRight"],
    help: "Ten frames on.",
    run: () => void act("step", { frames: 10 }),
    blocked: watching,
  },
  {
    id: "time.slower",
    title: "Slower",
    group: "Time",
    keys: ["Minus"],
    help: "Let time pass more slowly. Slow motion makes directing easier.",
    run: () => changeSpeed(-1),
    blocked: watching,
  },
  {
    id: "time.faster",
    title: "Faster",
    group: "Time",
    keys: ["Equal"],
    help: "Let time pass faster.",
    run: () => changeSpeed(1),
    blocked: watching,
  },
  {
    id: "time.loop",
    title: "Loop",
    group: "Time",
    keys: ["Shift+KeyL"],
    help: "Replay over and over: the range, or everything.",
    run: () => {
      looping.value = !looping.value;
      restartReplay();
    },
  },
  {
    id: "time.in",
    title: "Set in point",
    group: "Time",
    keys: ["KeyI"],
    help: "The range to replay begins at the playhead.",
    run: () => setRangeEnd(0),
    blocked: unrecorded,
  },
  {
    id: "time.out",
    title: "Set out point",
    group: "Time",
    keys: ["KeyO"],
    help: "The range to replay ends at the playhead.",
    run: () => setRangeEnd(1),
    blocked: unrecorded,
  },
  {
    id: "time.clearRange",
    title: "Clear the range",
    group: "Time",
    keys: ["Shift+KeyI"],
    help: "Replay everything again.",
    run: () => setRange(null),
    blocked: () => (range.value ? "" : "There is no range."),
  },
  {
    id: "time.marker",
    title: "Add a marker",
    group: "Time",
    keys: ["KeyM"],
    help: "Give this moment a name.",
    run: () => void addMarker(),
    blocked: watching,
  },
  {
    id: "time.previousMarker",
    title: "Previous marker",
    group: "Time",
    keys: ["Shift+BracketLeft"],
    help: "Go to the marker before the playhead.",
    run: () => goToMarker(-1),
    blocked: noMarkers,
  },
  {
    id: "time.nextMarker",
    title: "Next marker",
    group: "Time",
    keys: ["Shift+BracketRight"],
    help: "Go to the marker after the playhead.",
    run: () => goToMarker(1),
    blocked: noMarkers,
  },
  {
    id: "time.peek",
    title: "Look ahead while held",
    group: "Time",
    keys: ["KeyG"],
    help: "Show ghosts of what is to come, as long as the key is down.",
    run: () => (peek.value = true),
    end: () => (peek.value = false),
    blocked: () => unlinked() || unforeseen(),
  },
  {
    id: "time.ahead",
    title: "Look ahead",
    group: "Time",
    keys: ["Shift+KeyG"],
    help: "Show ghosts of what would happen next if you changed nothing more.",
    run: () => (layers.value = { ...layers.value, ahead: !layers.value.ahead }),
    blocked: unforeseen,
  },
  {
    id: "time.fit",
    title: "Fit the timeline",
    group: "Time",
    keys: ["Shift+KeyF"],
    help: "Bring the whole take into sight.",
    run: fitTimeline,
  },
);

registerCommands({
  id: "time.panel",
  title: "Show or hide the timeline",
  group: "View",
  keys: ["Shift+KeyT"],
  help: "Hide the lanes to have more room for the stage; the transport stays.",
  run: () => (timelineOpen.value = !timelineOpen.value),
});
