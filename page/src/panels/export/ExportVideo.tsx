import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { downloadFile } from "./download";
import { findDuration, frameTimes } from "./times";
import { cancelVideo, Cancelled, listContainers, renderVideo, rendering } from "./video";
import { watching } from "../../commands/reasons";
import { doc, showToast } from "../../store";
import { withoutSuffix } from "../../store/formats";
import { Button, Field, Progress, Segmented, Toggle } from "../../ui";
import type { Range } from "./Export";
import { Trouble } from "../controls/Trouble";

/** Sizes of films. All even, as encoders want them. */
const SIZES = {
  "720p": { width: 1280, height: 720, label: "720p", help: "1280 × 720" },
  "1080p": { width: 1920, height: 1080, label: "1080p", help: "1920 × 1080" },
  square: { width: 1080, height: 1080, label: "Square", help: "1080 × 1080" },
} as const;

type Size = keyof typeof SIZES;

const SPEEDS = ["0.125", "0.25", "0.5", "1", "2"];
const RATES = ["24", "30", "60"];

/** A film of the stage as it is seen now, of any size. */
export function ExportVideo({ range }: { range: Range }) {
  const size = useSignal<Size>("1080p");
  const fps = useSignal("30");
  const speed = useSignal("1");
  const overlays = useSignal(false);
  const kinds = useSignal<("mp4" | "webm")[] | null>(null);
  const kind = useSignal<"mp4" | "webm">("mp4");
  const problem = useSignal("");
  const { width, height } = SIZES[size.value];
  useEffect(() => {
    void listContainers(width, height).then((found) => {
      kinds.value = found;
      if (!found.includes(kind.value) && found[0]) kind.value = found[0];
    });
  }, [width, height]);

  const wanted = { ...range, fps: Number(fps.value), speed: Number(speed.value) };
  const frames = frameTimes(wanted).length;
  const busy = rendering.value;
  const none = kinds.value?.length === 0;
  const go = async () => {
    problem.value = "";
    try {
      const blob = await renderVideo({ ...wanted, width, height, container: kind.value, overlays: overlays.value });
      const address = URL.createObjectURL(blob);
      downloadFile(address, `${withoutSuffix(doc.value?.title || doc.value?.scene || "stringless")}.${kind.value}`);
      // The browser reads it after the click; a minute is plenty.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      showToast("info", "The film is in your downloads.");
    } catch (error) {
      if (!(error instanceof Cancelled)) problem.value = error instanceof Error ? error.message : String(error);
    }
  };
  if (busy) {
    return (
      <div class="filming" role="status">
        <div class="job-line">
          <span>
            Frame {busy.done} of {busy.total}
          </span>
          <Button testid="cancel-film" onClick={cancelVideo}>
            Cancel
          </Button>
        </div>
        <Progress done={busy.total ? busy.done / busy.total : null} label="Making the film" />
        <p class="note">The stage goes through the record frame by frame; nothing is skipped.</p>
      </div>
    );
  }
  return (
    <>
      <Field label="Size">
        <Segmented
          label="Size"
          value={size.value}
          choices={(Object.keys(SIZES) as Size[]).map((value) => ({ value, label: SIZES[value].label, help: SIZES[value].help, testid: `size-${value}` }))}
          onChange={(chosen) => (size.value = chosen)}
        />
      </Field>
      <Field label="Frame rate">
        <Segmented label="Frame rate" value={fps.value} choices={RATES.map((value) => ({ value, label: value }))} onChange={(chosen) => (fps.value = chosen)} />
      </Field>
      <Field label="Speed">
        <Segmented
          label="Speed"
          value={speed.value}
          choices={SPEEDS.map((value) => ({ value, label: Number(value) < 1 ? `1/${1 / Number(value)}` : `${value}×`, help: Number(value) < 1 ? "Slow motion" : "" }))}
          onChange={(chosen) => (speed.value = chosen)}
        />
      </Field>
      <Field label="Kind">
        {none ? (
          <span class="note">This browser cannot write video.</span>
        ) : (
          <Segmented
            label="Kind of file"
            value={kind.value}
            choices={(["mp4", "webm"] as const).map((value) => ({
              value,
              label: value === "mp4" ? "MP4" : "WebM",
              blocked: kinds.value && !kinds.value.includes(value) ? "This browser cannot write it." : "",
            }))}
            onChange={(chosen) => (kind.value = chosen)}
          />
        )}
      </Field>
      <Field label="Include overlays" help="Render the layers that are switched on, too, and not only the character.">
        <Toggle bare on={overlays.value} label="Include overlays" onChange={(on) => (overlays.value = on)} />
      </Field>
      <Trouble text={none ? "This browser has no encoder for video (WebCodecs). A current Chrome, Edge or Safari has one." : problem.value} />
      <div class="export-go">
        <span class="note">
          {frames} frames, {findDuration(wanted).toFixed(1)} s
        </span>
        <Button
          kind="primary"
          icon="film"
          blocked={watching() ? watching() : none || !kinds.value ? "This browser cannot write video." : frames < 1 ? "The range is empty." : ""}
          testid="film-go"
          onClick={() => void go()}
        >
          Render video
        </Button>
      </div>
    </>
  );
}
