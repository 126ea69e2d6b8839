import { useEffect, useRef } from "preact/hooks";
import { findCommand, runCommand } from "../../commands/registry";
import { act, directing, horizon, layers, newest, onFrame, status, timelineOpen } from "../../store";
import { Button, Icon, NumberField, Segmented, shownKey, tip } from "../../ui";
import { CommandButton } from "../controls/CommandButton";
import { listSpeeds, speedHelp, speedName } from "../../store/timeline/speeds";
import { warpFactor } from "../../store/timeline/warp";
import { FRAME_RATE, looping, shownTime, range, findRecorded, tracks } from "../../store/timeline/state";

/** The row of buttons over the lanes: the one place that says whether time passes, and how. */
export function Transport() {
  const state = status.value;
  const playing = tracks.value.some((track) => track.playing);
  return (
    <div class="transport" role="toolbar" aria-label="Time">
      <div class="transport-group">
        <CommandButton id="time.start" icon="toStart" side="top" />
        <CommandButton id="time.back" icon="stepBack" side="top" testid="step-back" />
        <RunButton id="time.play" mode="live" text="Live" testid="play" />
        <RunButton id="time.replay" mode="replay" text="Replay" testid="replay" />
        <CommandButton id="time.forward" icon="stepForward" side="top" testid="step-forward" />
        <CommandButton id="time.end" icon="toEnd" side="top" testid="to-present" />
      </div>
      <TimeShown />
      <Speed />
      <Where />
      <span class="transport-space" />
      {layers.value.ahead && (
        <div class="transport-group">
          <span class="transport-label ahead">Ahead</span>
          <NumberField
            label="How far to look ahead"
            help="Drag sideways, or click and type."
            value={horizon.value}
            min={0.1}
            max={5}
            step={0.1}
            log
            unit="s"
            digits={2}
            testid="horizon"
            onInput={(value) => (horizon.value = Math.round(value * 20) / 20)}
          />
        </div>
      )}
      <div class="transport-group">
        <CommandButton id="keys.previous" icon="keyPrevious" side="top" class="secondary" />
        <CommandButton id="keys.set" icon="keyAdd" side="top" testid="set-key" />
        <CommandButton id="keys.next" icon="keyNext" side="top" class="secondary" />
        <CommandButton id="keys.play" icon="keyPlay" side="top" testid="play-keys" active={playing} />
      </div>
      <div class="transport-group">
        <CommandButton id="time.marker" icon="marker" side="top" testid="add-marker" />
        <CommandButton id="time.in" icon="rangeIn" side="top" class="secondary" />
        <CommandButton id="time.out" icon="rangeOut" side="top" class="secondary" />
        {range.value && <CommandButton id="time.clearRange" icon="close" side="top" />}
        <CommandButton id="time.warp" icon="warp" side="top" testid="warp-open" active={warpFactor.value !== null} />
        <CommandButton id="time.loop" icon="loop" side="top" active={looping.value || (state?.loop ?? false)} testid="loop" />
      </div>
      <div class="transport-group pinned">
        <CommandButton id="time.fit" icon="fit" side="top" />
        <CommandButton
          id="time.panel"
          icon={timelineOpen.value ? "down" : "up"}
          title={timelineOpen.value ? "Hide the timeline" : "Show the timeline"}
          side="top"
        />
      </div>
    </div>
  );
}

interface RunButtonProps {
  id: string;
  mode: "live" | "replay";
  text: string;
  testid: string;
}

/** Live or replay: filled while it runs, and then it pauses. */
function RunButton({ id, mode, text, testid }: RunButtonProps) {
  const found = findCommand(id);
  const running = status.value?.mode === mode;
  const blocked = found.blocked?.();
  return (
    <button
      {...tip({
        title: running ? "Pause" : mode === "live" ? "Play live" : "Replay the record",
        help: found.help,
        keys: shownKey(found),
        blocked,
        side: "top",
      })}
      type="button"
      class={`run-button ${mode} ${running ? "running" : ""}`}
      aria-pressed={running}
      aria-disabled={blocked ? true : undefined}
      data-testid={testid}
      onClick={() => runCommand(id)}
    >
      <Icon name={running ? "pause" : mode === "live" ? "play" : "replay"} size={16} />
      <span>{text}</span>
    </button>
  );
}

/** The time looked at; written straight to the page, because it changes with every frame. */
function TimeShown() {
  const seconds = useRef<HTMLSpanElement>(null);
  const frame = useRef<HTMLSpanElement>(null);
  void status.value?.time;
  useEffect(() => {
    let due = 0;
    const write = () => {
      due = 0;
      const time = shownTime();
      if (seconds.current) seconds.current.textContent = time.toFixed(3);
      if (frame.current) frame.current.textContent = String(Math.round(time * FRAME_RATE));
    };
    const listen = () => {
      due ||= requestAnimationFrame(write);
    };
    onFrame.add(listen);
    return () => {
      onFrame.delete(listen);
      cancelAnimationFrame(due);
    };
  }, []);
  const time = newest.frame?.time ?? status.value?.time ?? 0;
  return (
    <div class="time-shown" {...tip({ title: "Simulation time", help: "The time of what is shown [s], and its recorded frame.", side: "top" })}>
      <span class="time-seconds" data-testid="time" ref={seconds}>
        {time.toFixed(3)}
      </span>
      <span class="time-unit">s</span>
      <span class="time-frame" data-testid="time-frame" ref={frame}>
        {Math.round(time * FRAME_RATE)}
      </span>
    </div>
  );
}

function Speed() {
  const rate = status.value?.rate ?? 0.25;
  const blocked = findCommand("time.slower").blocked?.();
  return (
    <Segmented
      label="Speed"
      value={speedName(rate)}
      side="top"
      choices={listSpeeds(rate).map((speed) => ({
        value: speedName(speed),
        label: speed < 0 ? "Max" : `${speedName(speed)}×`,
        help: `${speedHelp(speed)} Change it by − and =.`,
        blocked,
        testid: `speed-${speedName(speed).replace("/", "-")}`,
      }))}
      onChange={(name) => {
        const chosen = listSpeeds(rate).find((speed) => speedName(speed) === name);
        if (chosen !== undefined) void act("speed", { rate: chosen });
      }}
    />
  );
}

/** Where one looks: in the past it can be resumed from, and it may be out of date. */
function Where() {
  const state = status.value;
  if (!state || state.present || state.mode === "live") return null;
  const branches = state.time < findRecorded()[1] - 1e-6;
  return (
    <div class="transport-group">
      {directing.value && (
        <Button
          icon="branch"
          kind="quiet"
          class="resume"
          testid="resume"
          label={branches ? "Resume from here" : "Go on from here"}
          help={
            branches
              ? "Simulate on from this moment. It starts a branch; the old future is kept as a lane of its own."
              : "Simulate on from the end of this lane."
          }
          keys="Space"
          side="top"
          onClick={() => runCommand("time.resume")}
        >
          Resume<span class="wide-only"> from here</span>
        </Button>
      )}
      {state.stale && (
        <span
          class="stale-note"
          data-testid="stale"
          {...tip({
            title: "Out of date",
            help: "Something has changed before this moment. What you see is what was recorded, not what would happen now.",
            side: "top",
          })}
        >
          <Icon name="warning" size={14} />
          <span>Out of date</span>
        </span>
      )}
    </div>
  );
}
