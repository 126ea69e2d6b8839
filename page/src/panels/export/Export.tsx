import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { rendering } from "./video";
import { closeDialog, edit, status } from "../../store";
import { Dialog, NumberField, Segmented, Tabs } from "../../ui";
import { ExportModel } from "./ExportModel";
import { ExportVideo } from "./ExportVideo";
import "./export.css";

export interface Range {
  start: number;
  end: number;
}

/** The take as a 3D animation or as a film. */
export function Export() {
  const kind = useSignal("model");
  const whole = { start: status.value?.begin ?? 0, end: status.value?.end ?? 0 };
  const loop = status.value?.range;
  const which = useSignal<"all" | "range" | "own">(loop ? "range" : "all");
  const own = useSignal<Range>(whole);
  const range = which.value === "own" ? own.value : which.value === "range" && loop ? { start: loop[0], end: loop[1] } : whole;
  const busy = rendering.value !== null;
  useEffect(() => {
    own.value = { start: range.start, end: range.end };
  }, [which.value]);

  // What is on the screen while a motion is edited is not on record.
  const edited = edit.value?.open ?? false;
  const empty = edited || whole.end <= whole.start;
  return (
    <Dialog title="Export" size="small" class="export" testid="dialog-export" onClose={() => (busy ? undefined : closeDialog())}>
      <div tabIndex={-1} autofocus class="focus-first" />
      <Tabs
        label="What to write"
        value={kind.value}
        choices={[
          { value: "model", label: "3D animation", icon: "export", testid: "export-model" },
          { value: "video", label: "Video", icon: "film", testid: "export-video" },
        ]}
        onChange={(chosen) => {
          if (!busy) kind.value = chosen;
        }}
      />
      {empty ? (
        <p class="empty">{edited ? "The motion that you edit is not on record yet. Press Done first, or Close to write what was recorded before." : "There is nothing on record yet. Press Space and let something happen."}</p>
      ) : (
        <>
          <div class="export-range">
            <Segmented
              label="Which part"
              value={which.value}
              choices={[
                { value: "all", label: "Whole take" },
                { value: "range", label: "Loop", blocked: loop ? "" : "No range is marked on the timeline." },
                { value: "own", label: "From … to" },
              ]}
              onChange={(chosen) => {
                if (!busy) which.value = chosen;
              }}
            />
            <span class="export-times">
              <NumberField
                label="From"
                unit="s"
                value={range.start}
                min={whole.start}
                max={range.end}
                step={0.01}
                blocked={busy ? "The film is being made." : which.value === "own" ? "" : "Choose “From … to” first."}
                onInput={(start) => (own.value = { ...own.value, start })}
              />
              <span>to</span>
              <NumberField
                label="To"
                unit="s"
                value={range.end}
                min={range.start}
                max={whole.end}
                step={0.01}
                blocked={busy ? "The film is being made." : which.value === "own" ? "" : "Choose “From … to” first."}
                onInput={(end) => (own.value = { ...own.value, end })}
              />
            </span>
          </div>
          {kind.value === "model" ? <ExportModel range={range} /> : <ExportVideo range={range} />}
        </>
      )}
    </Dialog>
  );
}
