import { useEffect } from "preact/hooks";
import { hasSprings, springsOn, toggleSprings } from "../../store/springs";
import { act, doc, fleshy, mutualContact, pulled, scene } from "../../store";
import { Field, Segmented, Toggle } from "../../ui";
import type { Document } from "../../wire/messages";
import { Group } from "../controls/Group";
import { CONTACT, DIRECTOR, FLESH, LONG_STEP, MATERIAL, NEWTON, SPRINGS, STEP, STOPS, usually, type Parameter } from "../controls/parameters";
import { watching } from "../../commands/reasons";
import { Quantity } from "../controls/Quantity";
import { registerPanel } from "../registry";

type Values = Record<string, unknown>;

/** Materials as they were when the scene was first seen, to go back to. */
const opened = new Map<string, Record<string, Record<string, number>>>();

const GRAVITY: Parameter = {
  name: "gravity",
  label: "Gravity",
  help: "How strongly everything is pulled down.",
  unit: "m/s²",
  min: 0,
  max: 30,
  step: 0.01,
  usual: 9.81,
};
const WORLDS: [string, string, number][] = [
  ["earth", "Earth", 9.81],
  ["moon", "Moon", 1.62],
  ["zero", "Zero", 0],
];

function Physics() {
  const parameters = doc.value?.parameters;
  const place = `${doc.value?.path} ${doc.value?.scene}`;
  const flesh = (parameters?.flesh ?? {}) as Record<string, Record<string, number>>;
  useEffect(() => {
    if (parameters && !opened.has(place)) opened.set(place, flesh);
  }, [place, parameters]);
  if (!parameters) return <p class="quiet">Parameters appear as soon as there is a scene.</p>;
  const steps = (
    <Group key="steps" title="Steps">
      <Engine />
      <Steps values={parameters} />
    </Group>
  );
  // What bounces, and what touches itself, is flesh where the engine is implicit.
  const bare = pulled.value && !scene.value?.flesh;
  const touches = mutualContact.value || typeof scene.value?.floor === "number";
  return (
    <>
      {hasSprings() && <Springs values={parameters} />}
      {pulled.value && steps}
      <Group title="World">
        <Gravity />
        {touches && <Numbers list={CONTACT.filter(({ name }) => !bare || name !== "restitution")} values={parameters} command="configure" />}
        {!bare && mutualContact.value && <SkinContact on={parameters.self_contact === true} />}
      </Group>
      {Object.keys(flesh).length > 0 && (
        <Group title="Flesh">
          {Object.entries(flesh).map(([part, values]) => (
            <Part key={part} part={part} values={values} first={opened.get(place)?.[part] ?? {}} />
          ))}
          <Numbers list={FLESH} values={parameters} command="configure" />
        </Group>
      )}
      {doc.value?.director.keep_momentum !== undefined && !pulled.value && <Director />}
      {!pulled.value && steps}
    </>
  );
}

function SkinContact({ on }: { on: boolean }) {
  return (
    <Field label="Self-collision" help="Contact of the skin with other skins, and with itself where its bones are not neighbours.">
      <Toggle
        bare
        on={on}
        label="Self-collision"
        blocked={watching()}
        testid="parameter-self_contact"
        onChange={(next) => void act("configure", { self_contact: next })}
      />
    </Field>
  );
}

const ENGINES: Record<Document["engine"], [string, string]> = {
  stiff: ["Stiff", "Stiff: implicit, for stiff springs and limits at long steps. Here dragging pulls from outside, by a spring."],
  reduced: ["Reduced", "Reduced: short explicit steps in joint coordinates. Characters move by their own actuators; nothing pulls them."],
  adaptive: ["Adaptive", "Adaptive: as Reduced, but only the joints that matter move. It does not support goals; characters touch the ground, but not each other."],
};

/** What advances this scene. */
function Engine() {
  const [name, help] = ENGINES[doc.value?.engine ?? "reduced"];
  return (
    <Field label="Engine" help={help}>
      <span data-testid="engine">{name}</span>
    </Field>
  );
}

/** Parameters of the engine that is in use, and no others. */
function Steps({ values }: { values: Values }) {
  if (pulled.value) return <Numbers list={[usually(LONG_STEP, doc.value?.step), NEWTON, STOPS]} values={values} command="configure" />;
  return (
    <>
      <Numbers list={[usually(STEP, doc.value?.step), STOPS]} values={values} command="configure" />
      {fleshy.value && <Substeps values={values} />}
    </>
  );
}

function Substeps({ values }: { values: Values }) {
  return (
      <Field label="Substeps" help="Auto divides a step that is too long for stiff flesh or high speeds. A directed character takes whole steps.">
        <Segmented
          label="Substeps"
          value={values.substeps === "auto" ? "auto" : "off"}
          choices={[
            { value: "off", label: "Off", help: "Every step is taken as it is.", blocked: watching() },
            { value: "auto", label: "Auto", help: "2 to 32 shorter steps where it is needed.", blocked: watching() },
          ]}
          onChange={(value) => void act("configure", { substeps: value })}
        />
      </Field>
  );
}

/** All springs of joints at once: off, they are limp under the pull. */
function Springs({ values }: { values: Values }) {
  return (
    <Group title="Joints">
      <Field label="Joint springs" help="Springs and dampers that push the joints back to where they rest. Switch them off while you pull, and the character goes limp.">
        <Toggle
          bare
          on={springsOn()}
          label={`Joint springs ${springsOn() ? "on" : "off"}`}
          keys="J"
          blocked={watching()}
          testid="joint-springs"
          onChange={() => void toggleSprings()}
        />
      </Field>
      <Numbers list={[SPRINGS]} values={values} command="configure" />
    </Group>
  );
}

/** The studio says null where a number has no bound. */
function unbounded(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? Infinity : value]));
}

function Numbers({ list, values, command }: { list: Parameter[]; values: Values; command: string }) {
  return (
    <>
      {list
        .filter((parameter) => typeof values[parameter.name] === "number")
        .map((parameter) => (
          <Quantity
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] as number}
            command={command}
            args={(value) => ({ [parameter.name]: value })}
          />
        ))}
    </>
  );
}

function Director() {
  return (
    <Group title="Director">
      <Numbers list={DIRECTOR} values={unbounded(doc.value?.director ?? {})} command="set_director" />
      <Field label="Keep momentum exactly" help="Removes momentum drift after each step, so that the centre of mass flies in a parabola.">
        <Toggle
          bare
          on={doc.value?.director.keep_momentum !== false}
          label="Keep momentum exactly"
          blocked={watching()}
          onChange={(on) => void act("set_director", { keep_momentum: on })}
        />
      </Field>
    </Group>
  );
}

function Part({ part, values, first }: { part: string; values: Record<string, number>; first: Record<string, number> }) {
  return (
    <div class="part">
      <h4>{part}</h4>
      {MATERIAL.map((parameter) => (
        <Quantity
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? 0}
          first={first[parameter.name]}
          command="configure"
          args={(value) => ({ flesh: { [part]: { [parameter.name]: value } } })}
        />
      ))}
    </div>
  );
}

function Gravity() {
  const pull = scene.value?.gravity ?? [0, -9.81, 0];
  const strength = -pull[1];
  const args = (value: number) => ({ gravity: [pull[0], -value, pull[2]] });
  return (
    <>
      <Quantity parameter={GRAVITY} value={strength} command="gravity" args={args} late />
      <div class="presets">
        <Segmented
          label="Gravity of"
          value={WORLDS.find(([, , value]) => Math.abs(value - strength) < 5e-3)?.[0] ?? ""}
          choices={WORLDS.map(([value, label, pull]) => ({ value, label, help: `${pull} m/s²`, blocked: watching(), testid: `gravity-${value}` }))}
          onChange={(chosen) => void act("gravity", args(WORLDS.find(([value]) => value === chosen)?.[2] ?? 9.81))}
        />
      </div>
    </>
  );
}

registerPanel({
  id: "physics",
  label: "Physics",
  icon: "sliders",
  help: "Materials, contact, gravity and steps, all changed while it runs.",
  order: 30,
  where: "direct",
  Content: Physics,
});
