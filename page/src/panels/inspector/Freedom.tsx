/** What may change so that the nails are met: of the start, body by body, and beside it; and what rather. */

import { useMemo } from "preact/hooks";
import { watching } from "../../commands/reasons";
import { createGesture } from "../controls/gesture";
import { Group } from "../controls/Group";
import { act, edit, scene } from "../../store";
import { Field, Slider, Toggle } from "../../ui";
import type { Edit } from "../../wire/messages";
import { canChange, isAllowed, listFreedoms, toggleFreedom } from "../../store/edit/freedoms";
import { listCells } from "../../store/edit/masks";
import { MaskTable } from "./parts/MaskTable";
import { attributeWords, describeJointWeight, describeWeight, KINDS } from "../../store/edit/labels";
import { registerPanel } from "../registry";

function Freedom() {
  const open = edit.value;
  if (!open?.open) return <p class="quiet">No motion is open yet. Choose on the stage what to edit.</p>;
  const own = new Set(listCells(scene.value?.bodies ?? []).map(([attribute]) => attribute));
  return (
    <>
      <p class="edit-count" data-testid="edit-columns">
        <strong>{open.columns}</strong> free {open.columns === 1 ? "parameter" : "parameters"}
      </p>
      <Group title="The start of the motion">
        <KeepStart on={open.keeps_start} />
        <MaskTable locked={open.locked} />
      </Group>
      <Group title="Other parameters">
        <Beside open={open} />
      </Group>
      <Group title="Prefer to change">
        {Object.entries(open.masses).filter(([attribute]) => canChange(attribute, own, open.options)).map(([attribute, mass]) => (
          <Weight key={attribute} attribute={attribute} mass={mass} />
        ))}
      </Group>
      <Group title="What counts more">
        {KINDS.filter(({ name }) => name in open.strengths).map(({ name: kind, label }) => (
          <Strength key={kind} kind={kind} label={label} strength={open.strengths[kind] ?? 1} />
        ))}
      </Group>
    </>
  );
}

/** As it is where the motion begins: what was before goes on into it without a jump. */
function KeepStart({ on }: { on: boolean }) {
  const help = "The pose that the motion begins with stays: after what was before it, nothing jumps. How fast it sets off may change.";
  return (
    <Field label="Keep the start" help={help}>
      <Toggle bare on={on} label="Keep the start" help={help} blocked={watching()} testid="keep-start" onChange={(now) => void act("edit_keep_start", { on: now })} />
    </Field>
  );
}

/** Gravity, masses, muscles, pushes: only if a person says so. */
function Beside({ open }: { open: Edit }) {
  const joints = scene.value?.bodies.filter(({ nv, parent }) => nv > 0 && parent >= 0).map(({ joint }) => joint) ?? [];
  const shown = listFreedoms(open.options, open.transitions.length);
  if (shown.length === 0) return <p class="quiet">Nothing else can change here.</p>;
  return (
    <>
      {shown.map(({ name, label, help }) => (
        <Field key={name} label={label} help={help}>
          <Toggle bare on={isAllowed(open.options[name])} label={label} help={help} blocked={watching()} testid={`allow-${name}`} onChange={(on) => void act("edit_allow", { [name]: toggleFreedom(name, on, joints) })} />
        </Field>
      ))}
    </>
  );
}

function Weight({ attribute, mass }: { attribute: string; mass: number }) {
  const { label, help } = attributeWords(attribute);
  const hand = useMemo(() => createGesture("edit_weigh", `prefer to change ${label.toLowerCase()}`), [attribute]);
  const args = (value: number) => ({ masses: { [attribute]: value } });
  return (
    <Field label={label} help={`To the left it is changed sooner, to the right later: ${help}.`}>
      <Slider label={`How much ${label.toLowerCase()} resists`} value={mass} min={0.01} max={100} log say={describeJointWeight} blocked={watching()} testid={`weight-${attribute.replace(" ", "-")}`} onInput={(value) => hand.change(args(value))} onCommit={(value) => void hand.end(args(value))} />
      <span class="counts">{describeJointWeight(mass)}</span>
    </Field>
  );
}

function Strength({ kind, label, strength }: { kind: string; label: string; strength: number }) {
  const hand = useMemo(() => createGesture("edit_strengths", `change how much nails of ${label.toLowerCase()} count`), [kind]);
  const args = (value: number) => ({ strengths: { [kind]: value } });
  return (
    <Field label={label} help={`How much nails of this kind count beside others.`}>
      <Slider label={`How much nails of ${label.toLowerCase()} count`} value={strength} min={0.1} max={10} log say={describeWeight} blocked={watching()} testid={`strength-${kind}`} onInput={(value) => hand.change(args(value))} onCommit={(value) => void hand.end(args(value))} />
      <span class="counts">{describeWeight(strength)}</span>
    </Field>
  );
}

registerPanel({
  id: "freedom",
  label: "Freedom",
  icon: "unlocked",
  help: "Free parameters of the edit, and which it prefers to change.",
  order: 20,
  where: "edit",
  Content: Freedom,
});
