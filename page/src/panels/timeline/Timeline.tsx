import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { watching } from "../../commands/reasons";
import { EditTimeline } from "./EditTimeline";
import { watchEdit } from "../../store/edit/state";
import { workspace } from "../../store/workspace";
import { act, doc, status, timelineHeight, timelineOpen } from "../../store";
import { Button, Icon, Popover, tip } from "../../ui";
import { Area } from "./Area";
import { BranchList } from "./BranchList";
import { layOutBranches } from "../../store/timeline/branches";
import { pinned, ROW, RULER } from "./painting";
import { KINDS } from "./spans";
import { startTimeline, tracks } from "../../store/timeline/state";
import { Transport } from "./Transport";
import "./timeline.css";
import "./transport.css";

const LEAST = 112;
const MOST = 480;

/** Time as a place: transport, ruler, keyframes, and the take with its branches. */
export function Timeline() {
  useEffect(startTimeline, []);
  useEffect(watchEdit, []);
  const open = timelineOpen.value;
  if (workspace.value === "edit") return <EditTimeline />;
  return (
    <section class="timeline" aria-label="Timeline" style={open ? { height: `${timelineHeight.value}px` } : {}}>
      {open && <ResizeEdge />}
      <Transport />
      {open && <Body />}
    </section>
  );
}

function Body() {
  const [scroll, setScroll] = useState(0);
  const gutter = useRef<HTMLDivElement>(null);
  const lanes = doc.value?.lanes;
  const rows = useMemo(() => layOutBranches(lanes ?? []), [lanes]);
  const looked = rows.findIndex((row) => row.lane.id === status.value?.lane);
  // The lane that is looked at is always in sight.
  useEffect(() => {
    const box = gutter.current;
    if (!box || looked < 0) return;
    const keys = Math.max(1, tracks.value.length);
    const top = (keys + looked) * ROW;
    const still = pinned(keys) * ROW;
    if (top < box.scrollTop + still) box.scrollTop = top - still;
    else if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
  }, [looked, timelineHeight.value]);
  const scrollBy = useCallback((by: number) => gutter.current?.scrollBy(0, by), []);
  return (
    <div class="time-body">
      <div class="time-corner" style={{ height: `${RULER}px` }}>
        <Legend />
        <Deleted />
      </div>
      <div class="time-gutter" ref={gutter} onScroll={(event) => setScroll(event.currentTarget.scrollTop)}>
        <TrackNames />
        {rows.length > 0 ? <BranchList rows={rows} /> : <p class="time-empty">Nothing recorded yet</p>}
      </div>
      <Area rows={rows} scroll={scroll} onScroll={scrollBy} />
    </div>
  );
}

function TrackNames() {
  const all = tracks.value;
  const names = all.length ? all : [null];
  return (
    <div class={pinned(names.length) ? "track-names still" : "track-names"}>
      {names.map((track, index) => (
        <div
          key={track?.id ?? -1}
          class="track-name"
          style={{ height: `${ROW}px` }}
          {...tip({
            title: "Keyframes",
            help: track
              ? `Poses of ${track.joints.length} joints: ${track.joints.slice(0, 6).join(", ")}${track.joints.length > 6 ? " …" : ""}`
              : "Poses at moments. Set the first one with K, or by posing (P).",
            keys: "K",
            side: "right",
          })}
        >
          <Icon name="key" size={14} />
          <span>{all.length > 1 ? `Keys ${index + 1}` : "Keys"}</span>
        </div>
      ))}
    </div>
  );
}

/** What the colours mean. */
function Legend() {
  return (
    <Popover
      button={
        <>
          <Icon name="layers" size={14} />
          <span>Take</span>
        </>
      }
      class="corner-button"
      label="What the colours mean"
      help="The lanes of the take, and by colour what acted when."
      side="top"
    >
      {() => (
        <dl class="legend">
          {Object.entries(KINDS).map(([kind, { title, help }]) => (
            <div key={kind}>
              <dt>
                <i style={{ background: `var(--${kind})` }} />
                {title}
              </dt>
              <dd>{help}</dd>
            </div>
          ))}
          <div>
            <dt>
              <i class="hatched" />
              Out of date
            </dt>
            <dd>would go otherwise now</dd>
          </div>
        </dl>
      )}
    </Popover>
  );
}

/** Lanes that were deleted, to bring them back. */
function Deleted() {
  const gone = (doc.value?.lanes ?? []).filter((lane) => lane.deleted);
  if (gone.length === 0) return null;
  return (
    <Popover
      button={
        <>
          <Icon name="trash" size={14} />
          <span>{gone.length}</span>
        </>
      }
      class="corner-button"
      label="Deleted lanes"
      help="Nothing is lost: bring them back here."
      side="top"
      testid="deleted-lanes"
    >
      {(close) => (
        <div class="deleted-lanes">
          {gone.map((lane) => (
            <div key={lane.id} class="field">
              <span class="field-label">
                {lane.name} <small>{(lane.end - lane.start).toFixed(1)} s</small>
              </span>
              <Button
                icon="restore"
                blocked={watching()}
                testid={`restore-lane-${lane.id}`}
                onClick={() => {
                  if (gone.length === 1) close();
                  void act("restore_lane", { lane: lane.id });
                }}
              >
                Bring back
              </Button>
            </div>
          ))}
        </div>
      )}
    </Popover>
  );
}

/** The upper edge, to make the timeline taller or lower. */
function ResizeEdge() {
  const held = useRef<{ y: number; from: number } | null>(null);
  const set = (height: number) => {
    timelineHeight.value = Math.round(Math.max(LEAST, Math.min(MOST, innerHeight * 0.6, height)));
  };
  return (
    <div
      class="time-resize"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the timeline"
      aria-valuenow={timelineHeight.value}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = { y: event.clientY, from: timelineHeight.value };
      }}
      onPointerMove={(event) => held.current && set(held.current.from + held.current.y - event.clientY)}
      onPointerUp={() => (held.current = null)}
      onPointerCancel={() => (held.current = null)}
      onDblClick={() => set(156)}
      onKeyDown={(event) => {
        const step = { ArrowUp: 12, ArrowDown: -12 }[event.key];
        if (step) {
          event.preventDefault();
          set(timelineHeight.value + step);
        }
      }}
    />
  );
}
