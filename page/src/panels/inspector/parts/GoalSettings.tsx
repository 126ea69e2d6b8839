import { act, pulled } from "../../../store";
import { findGoalKind } from "../../../store/goals";
import { Button, Field, Toggle } from "../../../ui";
import type { GoalFieldInfo, GoalInfo } from "../../../wire/messages";
import type { Parameter } from "../../controls/parameters";
import { watching } from "../../../commands/reasons";
import { Quantity } from "../../controls/Quantity";
import { axisLetters } from "./labels";

/** What the same numbers mean to a spring. */
const OF_SPRINGS: Record<string, string> = {
  weight: "Strength of the spring: the force grows with its square.",
  firmness: "How stiff the spring is for the mass it pulls, as a natural frequency.",
  damping: "1 comes to rest without swinging over, less swings.",
};

/** Everything that can be set on one goal, as its kind is described. */
export function GoalSettings({ goal }: { goal: GoalInfo }) {
  const fields = findGoalKind(goal.kind)?.fields ?? [];
  return (
    <div class="goal-settings">
      {fields.map((field) => (
        <GoalField key={field.name} goal={goal} field={field} />
      ))}
    </div>
  );
}

function GoalField({ goal, field }: { goal: GoalInfo; field: GoalFieldInfo }) {
  const set = (value: unknown) => ({ goal: goal.id, [field.name]: value });
  const value = goal.values[field.name];
  const help = (pulled.value && OF_SPRINGS[field.name]) || field.help;
  if (field.kind === "axes") return (value as unknown[]).length > 0 ? <Axes goal={goal} field={field} /> : null;
  if (field.kind === "switch") {
    // A spring that pulls from outside needs no ground.
    if (pulled.value && field.name === "push") return null;
    return (
      <Field label={field.label} help={help}>
        <Toggle bare on={value as boolean} label={field.label} blocked={watching()} onChange={(on) => void act("set_goal", set(on))} />
      </Field>
    );
  }
  if (field.name === "top_speed" && goal.axes.length === 0) return null;
  if (value === null) {
    return (
      <Field label={field.label} help={help}>
        <Button class="unbounded" label={field.label} help={`${help} Click to set a number.`} blocked={watching()} onClick={() => void act("set_goal", set(firstValue(field)))}>
          {field.unset}
        </Button>
      </Field>
    );
  }
  return <Quantity parameter={describeNumber(field, help)} value={value as number} command="set_goal" args={set} />;
}

function describeNumber(field: GoalFieldInfo, help: string): Parameter {
  const { name, label, unit, low, high, step, log, usual } = field;
  return { name, label, help, unit, min: low, max: high, log, usual, ...(step !== null && { step }) };
}

/** Where a number that was not set begins. */
function firstValue({ low, high }: GoalFieldInfo): number {
  return Math.min(Math.max(1, low), high);
}

/** Which directions count: with y alone only the height is held. */
function Axes({ goal, field }: { goal: GoalInfo; field: GoalFieldInfo }) {
  const letters = axisLetters(goal.values[field.name] as number[][]);
  return (
    <Field label={field.label} help={field.help}>
      {letters === null ? (
        <span class="quiet">of its own</span>
      ) : (
        <div class="axes" role="group" aria-label="Directions that count">
          {["x", "y", "z"].map((axis) => {
            const on = letters.includes(axis);
            const last = on && letters.length === 1;
            return (
              <Button
                key={axis}
                active={on}
                label={`Along ${axis.toUpperCase()}`}
                blocked={watching() || (last ? "One direction has to count." : "")}
                onClick={() => void act("set_goal", { goal: goal.id, [field.name]: on ? letters.replace(axis, "") : [...letters, axis].sort().join("") })}
              >
                {axis.toUpperCase()}
              </Button>
            );
          })}
        </div>
      )}
    </Field>
  );
}
