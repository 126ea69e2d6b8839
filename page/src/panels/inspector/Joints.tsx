import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { findCommand, runCommand } from "../../commands/registry";
import { springsOn } from "../../store/springs";
import { act, directable, doc, persistentSignal, pulled, scene, selected, status } from "../../store";
import { Button, Field, Icon, NumberField, Segmented, Toggle, written } from "../../ui";
import { effort, jointRows, findLoad, ofOne, toDegrees, toRadians, withLimit, type JointRow } from "./parts/joints";
import type { Parameter } from "../controls/parameters";
import { useFrame } from "./parts/pulse";
import { watching } from "../../commands/reasons";
import { Quantity } from "../controls/Quantity";
import { effortUnit, formatStrength, isAngle, jointWord } from "./parts/labels";
import { registerPanel } from "../registry";

const onlySelected = persistentSignal("onlySelectedJoint", false);

const WEIGHT: Parameter = {
  name: "weight",
  label: "Joint weight",
  help: "Above 1 the joint moves less than others to meet a goal, below 1 more.",
  unit: "×",
  min: 0.01,
  max: 100,
  log: true,
  usual: 1,
};
const STATES: Record<string, string> = { directed: "directed", passive: "limp", keyframes: "on keyframes", free: "free" };

/** What moves each joint, its torque and its limits. */
function Joints() {
  const all = jointRows(scene.value?.bodies ?? [], doc.value?.joints ?? []);
  const chosen = selected.value;
  const rows = onlySelected.value && chosen >= 0 ? all.filter((row) => row.index === chosen) : ofOne(all, chosen);
  if (all.length === 0) return <p class="quiet">Nothing in this scene has actuators: it can be watched, but not directed.</p>;
  return (
    <>
      <div class="joint-tools">
        {pulled.value || !directable.value ? (
          <Toggle on={springsOn()} label="Joint springs" help={findCommand("directing.springs").help} keys="J" blocked={watching()} onChange={() => runCommand("directing.springs")} />
        ) : (
          <>
            <Button icon="target" help="Let the director have all joints." blocked={watching()} onClick={() => void everyone("direct")}>
              Activate all
            </Button>
            <Button icon="passive" help="Let all joints go; the character falls." blocked={watching()} onClick={() => void everyone("passive")}>
              All limp
            </Button>
          </>
        )}
        <Toggle on={onlySelected.value} label="Selected" help="Show only the joint of the bone that is selected on the stage." onChange={(on) => (onlySelected.value = on)} />
      </div>
      {rows.length < all.length && !onlySelected.value && <p class="quiet">Joints of one character of many. Select a bone to see those of its own.</p>}
      {rows.length === 0 && <p class="quiet">The selected bone has no joint that can be directed.</p>}
      <ul class="joints">
        {rows.map((row) => (
          <Joint key={row.body.joint} row={row} chosen={row.index === chosen} />
        ))}
      </ul>
    </>
  );
}

/** What moves a joint that no director has. */
function undriven({ body, state }: JointRow): string {
  if (state?.state === "keyframes") return STATES.keyframes ?? "";
  return springsOn() && body.stiffness.some((value) => value > 0) ? "on its spring" : "limp";
}

async function everyone(command: "direct" | "passive"): Promise<void> {
  const names = jointRows(scene.value?.bodies ?? [], doc.value?.joints ?? []).map(({ body }) => body.joint);
  await act(command, { joints: names });
}

function Joint({ row, chosen }: { row: JointRow; chosen: boolean }) {
  const { body, state } = row;
  const open = useSignal(false);
  const node = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) node.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const held = status.value?.at_limits[body.joint];
  return (
    <li ref={node} class={`joint ${chosen ? "chosen" : ""}`} data-testid={`joint-${body.joint}`}>
      <button
        type="button"
        class="joint-line"
        aria-expanded={open.value}
        onClick={() => {
          open.value = !open.value;
          selected.value = row.index;
        }}
      >
        <Icon name={open.value ? "down" : "right"} size={14} />
        <span class="joint-name">{body.joint || body.name}</span>
        {held && (
          <span class="badge" title={`It stands at its limit: ${held}`}>
            limit
          </span>
        )}
        <span class={`state ${state?.state ?? "free"}`}>{pulled.value ? undriven(row) : STATES[state?.state ?? "free"]}</span>
      </button>
      <Load row={row} />
      {open.value && <JointSettings row={row} />}
    </li>
  );
}

/** A bar against what the actuator can give. Apart, so that only it is drawn again eight times a second. */
function Load({ row }: { row: JointRow }) {
  const frame = useFrame();
  const share = findLoad(row.body, frame);
  const unit = effortUnit(row.body);
  const bound = row.body.effort.find((value) => value > 0);
  const text = `${written(effort(row.body, frame), 2)} ${unit}${bound ? ` of ${written(bound, 3)} ${unit}` : ""}`;
  return (
    <div class="load" title={`Effort now: ${text}`} role="meter" aria-label={`Effort of ${row.body.joint}`} aria-valuemin={0} aria-valuemax={1} aria-valuenow={share ?? 0} aria-valuetext={text}>
      <div class={(share ?? 0) > 0.98 ? "full" : ""} style={{ width: `${100 * (share ?? 0)}%` }} />
    </div>
  );
}

function JointSettings({ row }: { row: JointRow }) {
  const { body } = row;
  return (
    <div class="joint-settings">
      {pulled.value ? <OwnSprings body={body} /> : <Drive row={row} />}
      <Limits row={body} />
      <p class="quiet">
        {jointWord(body.kind)}
        {body.effort.length > 0 && `, up to ${formatStrength(body)}`}
      </p>
    </div>
  );
}

/** The spring and the damper that the joint itself has. */
function OwnSprings({ body }: { body: JointRow["body"] }) {
  const unit = effortUnit(body);
  const rows: [name: "stiffness" | "damping", label: string, help: string, max: number][] = [
    ["stiffness", "Spring", "Pushes the joint back to where it rests.", 1e5],
    ["damping", "Damper", "Slows it down.", 1e4],
  ];
  return (
    <>
      {rows.map(([name, label, help, max]) => (
        <Quantity
          key={name}
          parameter={{ name, label, help, unit: name === "damping" ? `${unit}·s` : unit, min: 0, max, step: 0.001, usual: null }}
          value={body[name][0] ?? 0}
          command="edit_joint"
          args={(value) => ({ body: body.name, [name]: body[name].map(() => value) })}
          late
        />
      ))}
    </>
  );
}

/** What moves the joint, and its weight. */
function Drive({ row: { body, state } }: { row: JointRow }) {
  const joints = [body.joint];
  const limp = state?.state === "passive";
  return (
    <>
      <Field label="Moved by" help="Director: moves it to meet goals. Limp: passive. Free: unactuated, scripts can still drive it.">
        <Segmented
          label={`What moves ${body.joint}`}
          value={limp ? "passive" : state?.state === "directed" ? "direct" : state?.state === "free" ? "leave" : ""}
          choices={[
            { value: "direct", label: "Director", help: "Moves to meet goals.", blocked: watching() },
            { value: "passive", label: "Limp", help: "Passive, with a spring and a damper if you like.", blocked: watching() },
            { value: "leave", label: "Free", help: "Unactuated (scripts can still drive it).", blocked: watching() },
          ]}
          onChange={(command) => void act(command, { joints })}
        />
      </Field>
      <Quantity parameter={WEIGHT} value={state?.weight ?? 1} command="weigh" args={(weight) => ({ weights: { [body.joint]: weight } })} />
      {limp && state && (
        <>
          <Spring name="stiffness" label="Spring" help="Pulls it back to where it was let go." body={body} state={state} />
          <Spring name="damping" label="Damper" help="Slows it down." body={body} state={state} />
        </>
      )}
    </>
  );
}

interface SpringProps {
  name: "stiffness" | "damping";
  label: string;
  help: string;
  body: JointRow["body"];
  state: NonNullable<JointRow["state"]>;
}

function Spring({ name, label, help, body, state }: SpringProps) {
  const unit = effortUnit(body) + (name === "damping" ? "·s" : "");
  return (
    <Quantity
      parameter={{ name, label, help, unit, min: 0, max: 100, step: 0.001, usual: 0 }}
      value={state[name]}
      command="passive"
      args={(value) => ({ joints: [body.joint], stiffness: state.stiffness, damping: state.damping, [name]: value })}
    />
  );
}

/** How far it may go. Joints with several limits are shown and changed one by one. */
function Limits({ row: body }: { row: JointRow["body"] }) {
  const out = (value: number, k: number) => (isAngle(body, k) ? toDegrees(value) : value);
  const back = (value: number, k: number) => (isAngle(body, k) ? toRadians(value) : value);
  const send = (k: number, limit: [number, number]) => {
    const all = body.limits.map((old, index) => (index === k ? limit : old));
    void act("edit_joint", { body: body.name, lower: all.map((one) => one[0]), upper: all.map((one) => one[1]) });
  };
  // The joint takes one pair per coordinate; what is told otherwise is only shown.
  const blocked = watching() || (body.limits.length === body.nv ? "" : "These limits cannot be changed one by one.");
  return (
    <>
      {body.limits.map((limit, k) => (
        <Field key={k} label={body.limits.length > 1 ? `Limits ${k + 1}` : "Limits"} help="How far the joint may go, each way.">
          {([0, 1] as const).map((side) => (
            <NumberField
              key={side}
              label={side === 0 ? "Lower limit" : "Upper limit"}
              unit={isAngle(body, k) ? "°" : "m"}
              value={out(limit[side], k)}
              speed={isAngle(body, k) ? 0.5 : 0.001}
              blocked={blocked}
              onInput={() => {}}
              onCommit={(value) => send(k, withLimit(limit, side, back(value, k)))}
            />
          ))}
        </Field>
      ))}
    </>
  );
}

registerPanel({
  id: "joints",
  label: "Joints",
  icon: "joint",
  help: "What moves each joint, its torque and its limits.",
  order: 20,
  where: "direct",
  Content: Joints,
});
