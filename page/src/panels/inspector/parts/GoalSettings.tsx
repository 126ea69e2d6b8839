import { act, pulled } from "../../../store";
import { Button, Field, Toggle } from "../../../ui";
import type { GoalInfo } from "../../../wire/messages";
import type { Parameter } from "../../controls/parameters";
import { watching } from "../../../commands/reasons";
import { Quantity } from "../../controls/Quantity";
import { axisLetters } from "./labels";

const SETTINGS: Parameter[] = [
  {
    name: "weight",
    label: "Weight",
    help: "How much it counts beside other goals of the same priority.",
    unit: "",
    min: 0.01,
    max: 100,
    log: true,
    usual: 1,
  },
  {
    name: "firmness",
    label: "Firmness",
    help: "How fast an error is made good. High snaps to the target, low follows softly.",
    unit: "1/s",
    min: 1,
    max: 200,
    log: true,
    usual: null,
  },
  {
    name: "damping",
    label: "Damping",
    help: "1 arrives without swinging over, less swings.",
    unit: "",
    min: 0.1,
    max: 3,
    step: 0.01,
    usual: 1,
  },
  {
    name: "fade",
    label: "Fade in",
    help: "Time in which it comes into force.",
    unit: "s",
    min: 0,
    max: 3,
    step: 0.01,
    usual: 0,
  },
];
/** What the same numbers mean to a spring. */
const OF_SPRINGS: Record<string, string> = {
  weight: "Strength of the spring: the force grows with its square.",
  firmness: "How stiff the spring is for the mass it pulls. High holds on, low gives way.",
  damping: "1 comes to rest without swinging over, less swings.",
  fade: "Time in which it comes into force.",
};
const SPEED: Parameter = {
  name: "top_speed",
  label: "Top speed",
  help: "How fast a far target is approached.",
  unit: "m/s",
  min: 0.05,
  max: 50,
  log: true,
  usual: null,
};

/** Everything that can be said about one goal. */
export function GoalSettings({ goal }: { goal: GoalInfo }) {
  const set = (changes: Record<string, unknown>) => ({ goal: goal.id, ...changes });
  const pursues = goal.axes.length > 0;
  return (
    <div class="goal-settings">
      {SETTINGS.map((parameter) => (
        <Quantity
          key={parameter.name}
          parameter={pulled.value ? { ...parameter, help: OF_SPRINGS[parameter.name] ?? parameter.help } : parameter}
          value={goal[parameter.name as "weight" | "firmness" | "damping" | "fade"]}
          command="set_goal"
          args={(value) => set({ [parameter.name]: value })}
        />
      ))}
      {pursues &&
        (goal.top_speed === null ? (
          <Field label="Top speed" help={SPEED.help}>
            <Button class="unbounded" label="Top speed" help="As fast as suits the character's size. Click to say how fast." blocked={watching()} onClick={() => void act("set_goal", set({ top_speed: 1 }))}>
              By size
            </Button>
          </Field>
        ) : (
          <Quantity parameter={SPEED} value={goal.top_speed} command="set_goal" args={(value) => set({ top_speed: value })} />
        ))}
      {!pulled.value && (
        <Field label="May push off" help="Whether it may count on the ground to push off from. Without, a character in the air can only turn and bend.">
          <Toggle bare on={goal.push} label="May push off" blocked={watching()} onChange={(push) => void act("set_goal", set({ push }))} />
        </Field>
      )}
      {pursues && <Axes goal={goal} />}
    </div>
  );
}

/** Which directions count: with y alone only the height is held. */
function Axes({ goal }: { goal: GoalInfo }) {
  const letters = axisLetters(goal.axes);
  return (
    <Field label="Directions" help="Which directions count. With Y alone only the height is held.">
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
                onClick={() => void act("set_goal", { goal: goal.id, axes: on ? letters.replace(axis, "") : [...letters, axis].sort().join("") })}
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
