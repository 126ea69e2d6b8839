import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { toggleLayer } from "../../commands/view";
import { act, costShown, detailed, doc, layers, scene, status } from "../../store";
import { Field, NumberField, Segmented, Slider, Toggle } from "../../ui";
import type { DetailInfo } from "../../wire/messages";
import { ACTIVE, chooseActive, findCriterion, formatCount, formatDuration, ERROR, errorRange, formatGain, firstError, findGain, formatJoints, readNumber, UPDATE, WORTH, type By } from "./parts/detail";
import { createGesture } from "../controls/gesture";
import { Group } from "../controls/Group";
import type { Parameter } from "../controls/parameters";
import { watching } from "../../commands/reasons";
import { Quantity } from "../controls/Quantity";
import { registerPanel } from "../registry";

/** What was used last of each, to come back to. */
const last: { active: number | null; error: number | null } = { active: null, error: null };

const BY: [By, string, string][] = [
  ["all", "All", "Every joint moves: exact, and slowest."],
  ["number", "A number", "At most so many joints of each character move."],
  ["error", "An error", "As few joints move as an error allows."],
];

/** How much of the characters is simulated, with the adaptive engine, and what that costs. */
function Detail() {
  const parameters = doc.value?.parameters;
  const detail = status.value?.detail;
  useEffect(() => {
    costShown.value = true;
    return () => void (costShown.value = false);
  }, []);
  if (!parameters || !detail) return <p class="quiet">Joints are counted as soon as there is a scene.</p>;
  last.active = readNumber(parameters.active) ?? last.active;
  last.error = readNumber(parameters.max_error) ?? last.error;
  const by = findCriterion(parameters);
  const first = firstError(scene.value?.bodies ?? [], detail.follows && detail.characters > 1);
  return (
    <>
      <Now detail={detail} />
      <Group title="Limit by">
        <div class="detail-by">
          <Segmented
            label="Joints are chosen by"
            value={by}
            choices={BY.map(([value, label, help]) => ({ value, label, help, blocked: watching(), testid: `detail-${value}` }))}
            onChange={(value) => void act("configure", chooseActive(value, detail.most, last, first))}
          />
        </div>
        {by === "number" && <Dial parameter={{ ...ACTIVE, unit: detail.follows ? "at most" : detail.characters > 1 ? "each" : "", max: detail.most }} value={readNumber(parameters.active)} />}
        {by === "error" && <Dial parameter={{ ...ERROR, ...errorRange(first, readNumber(parameters.max_error)), label: detail.follows ? "Allowed error up close" : ERROR.label, unit: `${unit()}${detail.characters > 1 && !detail.follows ? " each" : ""}` }} value={readNumber(parameters.max_error)} />}
        <Quantity parameter={UPDATE} value={parameters.update_every as number} command="configure" args={(value) => ({ update_every: Math.round(value) })} />
      </Group>
      <Group title="Where it is seen">
        <Field label="Follow the view" help="What is set above is for a character that fills the picture. Characters farther away have fewer active joints, those out of view none.">
          <Toggle bare on={detail.follows} label="Follow the view" testid="follow-view" blocked={watching()} onChange={(on) => void act("follow_view", { on })} />
        </Field>
        {detail.follows && <Seen detail={detail} />}
      </Group>
      <Group title="On the stage">
        <Field label="Colour what moves" help="Bodies whose joint moves now are bright, those that are held are calm.">
          <Toggle bare on={layers.value.active} label="Colour what moves" testid="colour-active" onChange={() => toggleLayer("active")} />
        </Field>
        {layers.value.active && <Legend />}
      </Group>
    </>
  );
}

/** Of an error. */
const unit = (): string => (doc.value?.parameters.criterion === "motion" ? "1/s²" : ERROR.unit);

/** How it stands: joints that move, and what a step takes. */
function Now({ detail }: { detail: DetailInfo }) {
  const { moving, joints, step, whole, error, asleep, characters } = detail;
  const stepped = (status.value?.end ?? 0) > (status.value?.begin ?? 0);
  return (
    <section class="detail-now" aria-label="Now">
      <p class="detail-count" data-testid="detail-count">
        <strong>{formatCount(moving)}</strong> of {formatCount(joints)} joints move
      </p>
      <div class="detail-bar" role="meter" aria-label="Share of the joints that move" aria-valuemin={0} aria-valuemax={joints} aria-valuenow={moving}>
        <span style={{ width: `${joints > 0 ? Math.max((100 * moving) / joints, moving > 0 ? 0.7 : 0) : 0}%` }} />
      </div>
      <dl>
        <dt>A step takes</dt>
        <dd data-testid="detail-step">{formatDuration(step)}</dd>
        <dt>With all joints</dt>
        <dd data-testid="detail-whole">{formatDuration(whole)}</dd>
        {asleep > 0 && <dt>{characters > 1 ? "Asleep" : "It is asleep"}</dt>}
        {asleep > 0 && <dd data-testid="detail-asleep">{characters > 1 ? `${formatCount(asleep)} of ${formatCount(characters)}` : "until something acts on it"}</dd>}
        {error >= 0 && <dt>{characters > 1 ? "Error of those held, of all together" : "Error of those held"}</dt>}
        {error >= 0 && <dd>{Number(error.toPrecision(2))} {unit()}</dd>}
      </dl>
      <p class={`detail-faster ${findGain(detail) >= WORTH ? "" : "none"}`} data-testid="detail-faster">{formatGain(detail, stepped)}</p>
    </section>
  );
}

/** How many joints move near and far. */
function Seen({ detail }: { detail: DetailInfo }) {
  const { near, far, hidden, characters } = detail;
  if (near < 0 && hidden === 0) return <p class="quiet">Joints are shared out when time goes on.</p>;
  return (
    <dl class="detail-seen" data-testid="detail-seen">
      {near >= 0 && <dt>{characters > 1 ? "Nearest" : "In the picture"}</dt>}
      {near >= 0 && <dd data-testid="detail-near">{formatJoints(near)}</dd>}
      {near >= 0 && characters > 1 && <dt>Farthest in the picture</dt>}
      {near >= 0 && characters > 1 && <dd data-testid="detail-far">{formatJoints(far)}</dd>}
      {hidden > 0 && <dt>Out of the picture</dt>}
      {hidden > 0 && <dd data-testid="detail-hidden">{formatCount(hidden)}</dd>}
    </dl>
  );
}

/** A number and a slider for it: tried out while it is dragged, one step of undo when the hand lets go. */
function Dial({ parameter, value }: { parameter: Parameter; value: number | null }) {
  const { name, label, help, unit, min, max, step, log } = parameter;
  const pending = useSignal<number | null>(null);
  const hand = useMemo(() => createGesture("configure", `change ${label.toLowerCase()}`), [label]);
  const now = pending.value ?? value;
  const args = (next: number) => ({ [name]: step ? Math.round(next) : next });
  const change = (next: number) => {
    pending.value = next;
    hand.change(args(next));
  };
  const end = async (next: number) => {
    pending.value = next;
    await hand.end(args(next));
    pending.value = null;
  };
  const common = { label, help, min, max, step, log, blocked: watching(), value: now ?? max, onInput: change, onCommit: (next: number) => void end(next) };
  return (
    <>
      <Field label={label} help={help}>
        <NumberField {...common} unit={unit} testid={`parameter-${name}`} />
      </Field>
      <Slider {...common} testid={`slider-${name}`} />
      {now === null && <p class="quiet">Characters have numbers of their own; one that is set here is for all of them.</p>}
    </>
  );
}

function Legend() {
  return (
    <ul class="detail-legend" aria-label="Colours">
      <li>
        <span class="swatch active" /> Its joint moves
      </li>
      <li>
        <span class="swatch held" /> Held, moves along
      </li>
    </ul>
  );
}

registerPanel({
  id: "detail",
  label: "Detail",
  icon: "speed",
  help: "How many joints move, and what that costs.",
  order: 10,
  where: "direct",
  shown: () => detailed.value,
  Content: Detail,
});
