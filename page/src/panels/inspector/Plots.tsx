import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { newest, scene, selected, status, theme } from "../../store";
import { newSequence, send } from "../../wire/connection";
import { createChart, PLAIN_HEIGHT, TIMES_HEIGHT, type Curve } from "./parts/chart";
import { useFrame } from "./parts/pulse";
import { readings, series } from "./parts/recordings";
import { findSpan } from "./parts/series";
import { written } from "../../ui";
import { registerPanel } from "../registry";

type Column = (number | null)[];
interface Plot {
  title: string;
  help: string;
  unit: string;
  zero: boolean;
  curves: Curve[];
  data: () => Column[];
}

const TORQUE_COLORS = ["--drag", "--pose", "--turn"];

/** Height, energy, torques and speed over time. */
function Plots() {
  const index = useSignal<number | null>(null);
  const joint = scene.value?.bodies[selected.value];
  const own = joint && joint.effort.length > 0 ? joint.joint : null;
  void readings.value;
  useFrame();
  const shown = own ? [own] : series.hardest(3);
  const plots: Plot[] = [
    {
      title: "Centre of gravity",
      help: "Its height above the origin.",
      unit: "m",
      zero: false,
      curves: [{ label: "height", color: "--center" }],
      data: () => [series.height],
    },
    {
      title: "Energy",
      help: "Of motion, of height, and both together.",
      unit: "J",
      zero: true,
      curves: [
        { label: "motion", color: "--accent" },
        { label: "height", color: "--before" },
        { label: "total", color: "--text-2" },
      ],
      data: () => [series.kinetic, series.potential, series.kinetic.map((value, k) => (value === null || series.potential[k] === null ? null : value + (series.potential[k] ?? 0)))],
    },
    {
      title: own ? "Torque of the selected joint" : "Largest torques",
      help: own ? "What its actuator gives." : "Of the joints that work hardest; select a bone to see its own.",
      unit: "N·m",
      zero: true,
      curves: shown.map((label, k) => ({ label, color: TORQUE_COLORS[k] as string })),
      data: () => shown.map((name) => series.effort.get(name) ?? []),
    },
    {
      title: "Real-time factor",
      help: "Seconds simulated per second of work: above 1 it could run faster than it is shown.",
      unit: "×",
      zero: true,
      curves: [{ label: "speed", color: "--ahead" }],
      data: () => [series.realTime],
    },
  ];
  // What is measured only while it runs is not there for a take that was made elsewhere.
  const known = plots.filter((plot) => plot.data().some((column) => column.some((value) => value !== null)));
  if (series.time.length === 0) return <p class="quiet">Curves appear as soon as something moves. Press Space.</p>;
  return (
    <div class="plots" data-testid="plots">
      {known.map((plot, k) => (
        <Chart
          key={`${plot.title} ${plot.curves.map((curve) => curve.label).join()} ${k === known.length - 1}`}
          plot={plot}
          hover={index}
          times={k === known.length - 1}
        />
      ))}
      {known.length < plots.length && <p class="quiet">Energy and real-time factor are measured while it runs.</p>}
    </div>
  );
}

function Chart({ plot, hover, times }: { plot: Plot; hover: Signal<number | null>; times: boolean }) {
  const node = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot | null>(null);
  const first = useRef(0);
  const fill = () => {
    const target = drawn.current;
    if (!target) return;
    const now = newest.frame?.time ?? 0;
    const state = status.value;
    const end = Math.max(state?.end ?? 0, series.time.at(-1) ?? 0);
    const [low, high] = findSpan(Math.min(state?.begin ?? 0, series.time[0] ?? 0), end, now);
    first.current = from(series.time, low);
    const last = from(series.time, high) + 1;
    target.setData([series.time.slice(first.current, last), ...plot.data().map((column) => column.slice(first.current, last))] as uPlot.AlignedData, false);
    target.setScale("x", { min: low, max: high });
  };
  // A theme has colours of its own, and a canvas does not notice when they change.
  useEffect(() => {
    const box = node.current;
    if (!box) return undefined;
    drawn.current = createChart(box, {
      ...plot,
      times,
      playhead: () => newest.frame?.time ?? 0,
      onHover: (index) => (hover.value = index === null ? null : index + first.current),
      onSeek: (time) => send({ type: "seek", sequence: newSequence(), time }),
    });
    const sized = new ResizeObserver(() => drawn.current?.setSize({ width: box.clientWidth, height: times ? TIMES_HEIGHT : PLAIN_HEIGHT }));
    sized.observe(box);
    fill();
    return () => {
      sized.disconnect();
      drawn.current?.destroy();
      drawn.current = null;
    };
  }, [theme.value, document.documentElement.dataset.theme]);
  useEffect(fill);
  const at = hover.value ?? from(series.time, newest.frame?.time ?? 0);
  const columns = plot.data();
  return (
    <figure class={`plot ${plot.curves.length > 1 ? "many" : ""} ${times ? "timed" : ""}`} title={plot.help}>
      <figcaption>
        <span class="plot-title">
          {plot.title} <span class="plot-unit">{plot.unit}</span>
        </span>
        {plot.curves.map((curve, k) => {
          const value = columns[k]?.[Math.min(at, series.time.length - 1)];
          return (
            <span key={curve.label} class="reading" title={curve.label}>
              <i style={{ background: `var(${curve.color})` }} />
              {plot.curves.length > 1 && <span>{curve.label}</span>}
              <b>{value === null || value === undefined ? "–" : written(value, 3)}</b>
            </span>
          );
        })}
      </figcaption>
      <div ref={node} class="canvas" />
    </figure>
  );
}

/** Index of the last moment at or before a time. */
function from(time: readonly number[], moment: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((time[middle] as number) <= moment + 1e-9) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

registerPanel({
  id: "plots",
  label: "Plots",
  icon: "plot",
  help: "Height, energy, torques and speed over time.",
  order: 50,
  where: "direct",
  Content: Plots,
});
