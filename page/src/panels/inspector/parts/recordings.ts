/** Keeps the series of the plots up to date. */

import { effect, signal } from "@preact/signals";
import { attempt, doc, inspectorTab, onFrame, scene, status } from "../../../store";
import { panelOpen } from "../../../store/inspector";
import { PlotSeries, type Curves } from "./series";

export const series = new PlotSeries();
/** Counted up when the record was read anew. */
export const readings = signal(0);

let joints: { name: string; v: number; nv: number }[] = [];
let epoch = -1;

effect(() => {
  const shown = scene.value;
  if (!shown || shown.epoch === epoch) return;
  epoch = shown.epoch;
  joints = shown.bodies.filter((body) => body.effort.length > 0).map((body) => ({ name: body.joint, v: body.v, nv: body.nv }));
  series.clear();
  series.effort.clear();
});

onFrame.add((frame) => {
  // Looking back shows moments that are there already.
  if (!frame.present) return;
  series.push(
    { time: frame.time, height: frame.center[1] as number, kinetic: frame.kinetic, potential: frame.potential, realTime: frame.realTime, effort: frame.effort },
    joints,
  );
});

/** What the record depends on: another lane, another scene, or a stop after which there is more of it. */
let known = "";

effect(() => {
  const now = status.value;
  if (!now || !panelOpen.value || inspectorTab.value !== "plots" || now.preparing) return;
  const key = `${scene.value?.epoch} ${now.lane} ${now.mode} ${doc.value?.lanes.length} ${now.mode === "live" ? "" : now.end}`;
  if (key === known || now.mode === "live") return;
  known = key;
  void readCurves(now.lane);
});

async function readCurves(lane: number | null): Promise<void> {
  if (lane === null) return;
  const asked = epoch;
  const found = await attempt<Curves>("curves", { lane, count: 800 });
  if (!found.ok || asked !== epoch || status.value?.mode === "live" || found.result.time.length === 0) return;
  series.replace(found.result);
  readings.value += 1;
}
