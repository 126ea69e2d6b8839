/** In the Edit workspace with nothing open: what shall be edited? */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { watching } from "../../commands/reasons";
import { dialog, scene, status } from "../../store";
import { Button, Field, Icon, NumberField } from "../../ui";
import { explainUneditable, leaveEdit, openingMotion, openTake, openThrow } from "../../store/edit/actions";
import { editing, entering } from "../../store/workspace";
import "./entrance.css";

/** A throw that was not told otherwise lasts so long [s]. */
const USUAL = 1;

/** A stretch of the take must be longer than this [s]. */
const LEAST = 0.02;

export function EditEntrance() {
  return entering.value && !editing.value && scene.value ? <Card /> : null;
}

function Card() {
  const card = useRef<HTMLDivElement>(null);
  // Who came by a key goes on by keys.
  useLayoutEffect(() => card.current?.querySelector<HTMLElement>(".primary:not([aria-disabled])")?.focus(), []);
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    void leaveEdit();
  };
  return (
    <div ref={card} class="entrance" role="dialog" aria-label="What to edit" data-testid="edit-entrance" onKeyDown={key}>
      <header>
        <h2>Edit a motion</h2>
        <p>Drag a flight, a swing or a bounce at any moment. The start changes, so that physics still brings it there.</p>
        {never() && (
          <p class="entrance-never" role="note" data-testid="edit-never">
            <Icon name="warning" /> {never()} Try one of the motions below.
          </p>
        )}
      </header>
      <div class="entrance-ways">
        <FromTake />
        <FromHere />
      </div>
      <footer>
        <Button kind="quiet" icon="gallery" onClick={() => (dialog.value = "gallery")} testid="edit-examples">
          Motions to try
        </Button>
        <Button kind="quiet" keys="Esc" onClick={() => void leaveEdit()} testid="edit-back">
          Back to directing
        </Button>
      </footer>
    </div>
  );
}

const never = (): string => (scene.value ? explainUneditable(scene.value) : "");
const busy = (): string => watching() || never() || (openingMotion.value ? "It is being opened." : "");

function FromTake() {
  const [begin, end] = [status.value?.begin ?? 0, status.value?.end ?? 0];
  const range = useSignal<[number, number] | null>(null);
  const [from, to] = range.value ?? [begin, end];
  const blocked = busy() || (end > begin ? (to > from ? "" : "The end must come after the beginning.") : "Nothing is recorded yet.");
  const clip = (time: number) => Math.min(end, Math.max(begin, time));
  return (
    <section>
      <h3>
        <Icon name="film" /> From the take
      </h3>
      <p>A part of the recording in which nothing is directed.</p>
      <Field label="From">
        <NumberField label="Beginning of the stretch" unit="s" value={from} min={begin} max={Math.max(begin, to - LEAST)} digits={5} speed={0.005} testid="edit-from" onInput={(value) => (range.value = [clip(value), to])} />
      </Field>
      <Field label="To">
        <NumberField label="End of the stretch" unit="s" value={to} min={Math.min(end, from + LEAST)} max={Math.ceil(1e4 * end) / 1e4} digits={5} speed={0.005} testid="edit-to" onInput={(value) => (range.value = [from, clip(value)])} />
      </Field>
      <Button kind="primary" blocked={blocked} onClick={() => void openTake(from, to)} testid="edit-open-take">
        {openingMotion.value ? "Opening …" : "Edit the take"}
      </Button>
    </section>
  );
}

function FromHere() {
  const seconds = useSignal(USUAL);
  return (
    <section>
      <h3>
        <Icon name="velocity" /> From here
      </h3>
      <p>What happens from this moment on if all joints are passive and nothing is directed.</p>
      <Field label="Lasting">
        <NumberField label="How long it lasts" unit="s" value={seconds.value} min={0.1} max={10} step={0.1} digits={2} testid="edit-seconds" onInput={(value) => (seconds.value = value)} />
      </Field>
      <Button kind="primary" blocked={busy()} onClick={() => void openThrow(seconds.value)} testid="edit-open-here">
        {openingMotion.value ? "Opening …" : "Edit from here"}
      </Button>
    </section>
  );
}
