/** The lower part of the page while a motion is edited: play it, look at any moment, make things happen there. */

import { findCommand, runCommand } from "../../commands/registry";
import { timelineOpen } from "../../store";
import { Button, Icon, NumberField, Segmented, shownKey, tip } from "../../ui";
import { CommandButton } from "../controls/CommandButton";
import { speedName } from "../../store/timeline/speeds";
import { keepingMotion } from "../../store/edit/actions";
import { EditBar } from "./EditBar";
import { looping, editTime, playing, speed, ghostCount, ghostsShown } from "../../store/edit/state";
import { editing } from "../../store/workspace";
import "./editTimeline.css";

const SPEEDS = [1 / 8, 1 / 4, 1 / 2, 1];

export function EditTimeline() {
  const open = timelineOpen.value;
  return (
    <section class="timeline edit-timeline" aria-label="Timeline of the edit">
      <div class="transport" role="toolbar" aria-label="Motion">
        <Playing />
        <TimeShown />
        <Segmented
          label="Speed of playing"
          value={speedName(speed.value)}
          side="top"
          choices={SPEEDS.map((rate) => ({ value: speedName(rate), label: `${speedName(rate)}×`, help: rate === 1 ? "As fast as the real thing." : `${1 / rate} times slower.` }))}
          onChange={(name) => (speed.value = SPEEDS.find((rate) => speedName(rate) === name) ?? 1)}
        />
        <div class="transport-group">
          <Happening id="edit.grip" icon="gripOn" text="Grip" />
          <Happening id="edit.letGo" icon="letGo" text="Let go" />
          <Happening id="edit.bounce" icon="bounce" text="Bounce" />
        </div>
        <span class="transport-space" />
        <div class="transport-group">
          <span class="transport-label">Poses</span>
          <NumberField label="Number of poses" help="How many poses are strobed along the motion. Drag sideways, or click and type." value={ghostCount.value} min={2} max={40} step={1} digits={2} testid="edit-strobe-count" onInput={(value) => {
              ghostCount.value = Math.round(value);
              ghostsShown.value = true;
            }} />
        </div>
        <div class="transport-group pinned">
          {editing.value && (
            <>
              <Button kind="quiet" {...words("edit.leave")} side="top" onClick={() => runCommand("edit.leave")} testid="edit-close">
                Close
              </Button>
              <Button kind="primary" icon="check" {...words("edit.keep")} side="top" onClick={() => runCommand("edit.keep")} testid="edit-keep">
                {keepingMotion.value ? "Keeping …" : "Done"}
              </Button>
            </>
          )}
          <CommandButton id="time.panel" icon={open ? "down" : "up"} title={open ? "Hide the timeline" : "Show the timeline"} side="top" />
        </div>
      </div>
      {open && editing.value && <EditBar />}
      {open && !editing.value && <p class="edit-empty">No motion is open. Choose on the stage what to edit, and it appears here.</p>}
    </section>
  );
}

function words(id: string) {
  const found = findCommand(id);
  return { label: found.title, help: found.help, keys: shownKey(found), blocked: found.blocked?.() };
}

function Playing() {
  const found = findCommand("edit.play");
  const blocked = found.blocked?.();
  return (
    <div class="transport-group">
      <CommandButton id="edit.start" icon="toStart" side="top" />
      <CommandButton id="edit.back" icon="stepBack" side="top" class="secondary" />
      <button
        type="button"
        class={`run-button replay ${playing.value ? "running" : ""}`}
        aria-pressed={playing.value}
        aria-disabled={blocked ? true : undefined}
        data-testid="edit-play"
        {...tip({ title: playing.value ? "Pause" : "Play", help: found.help, keys: shownKey(found), blocked, side: "top" })}
        onClick={() => runCommand("edit.play")}
      >
        <Icon name={playing.value ? "pause" : "play"} size={16} />
        <span>Play</span>
      </button>
      <CommandButton id="edit.forward" icon="stepForward" side="top" class="secondary" />
      <CommandButton id="edit.end" icon="toEnd" side="top" />
      <CommandButton id="edit.loop" icon="loop" side="top" active={looping.value} />
    </div>
  );
}

function TimeShown() {
  return (
    <div class="time-shown" {...tip({ title: "Moment", help: "Of the motion, from its beginning.", side: "top" })}>
      <span class="time-seconds" data-testid="edit-time">
        {editTime.value.toFixed(3)}
      </span>
      <span class="time-unit">s</span>
    </div>
  );
}

function Happening({ id, icon, text }: { id: string; icon: "gripOn" | "letGo" | "bounce"; text: string }) {
  return (
    <Button kind="quiet" class="happening-button" icon={icon} {...words(id)} side="top" onClick={() => runCommand(id)} testid={id.replace(".", "-")}>
      {text}
    </Button>
  );
}
