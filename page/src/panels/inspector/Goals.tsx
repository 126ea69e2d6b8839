import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { act, directable, doc, pulled, scene, selected } from "../../store";
import { findGoalKind } from "../../store/goals";
import { Button, Icon, IconButton, Segmented, type Choice } from "../../ui";
import type { GoalInfo } from "../../wire/messages";
import { GoalSettings } from "./parts/GoalSettings";
import { formatForce } from "../../geometry/force";
import { sortGoals, levels, moveLevel, reorder, type Change, type Slot } from "./parts/order";
import { goalStates, useFrame, type GoalState } from "./parts/pulse";
import { watching } from "../../commands/reasons";
import { formatDistance, goalIcon, goalName } from "./parts/labels";
import { registerPanel } from "../registry";

const STYLES: Choice<string>[] = [
  { value: "acceleration", label: "Acceleration", help: "Joints that no goal needs are sped up as little as possible: even, economical motion." },
  { value: "torque", label: "Torque", help: "Least effort: heavy parts swing by themselves, light ones do the work." },
  { value: "velocity", label: "Velocity", help: "Joints move as little as possible: calm, almost stiff motion." },
];

/** What is asked of the characters, in the order in which it is met. */
function Goals() {
  const goals = doc.value?.goals ?? [];
  return (
    <>
      {goals.length === 0 ? <Nothing /> : pulled.value ? <Pulls goals={goals} /> : <GoalList goals={goals} />}
      {!pulled.value && <Styles />}
    </>
  );
}

function Nothing() {
  if (!pulled.value && scene.value?.characters.length === 0) {
    return (
      <div class="nothing">
        <Icon name="hand" size={28} />
        <strong>Nothing here can be directed</strong>
        <p>Nothing in this scene has joints that it could move by itself. Press Space to watch it, or E to edit its motion.</p>
      </div>
    );
  }
  return (
    <div class="nothing">
      <Icon name="hand" size={28} />
      <strong>{pulled.value ? "Nothing pulls" : "No goals yet"}</strong>
      {pulled.value ? (
        <p>Drag any part on the stage: here dragging pulls from outside, by a spring, as a haptic pen would. The arrow is the force you pull with, and feel back. Pin a bone (N) to hold it where it is.</p>
      ) : (
        <p>Drag any part of its body on the stage: that is a goal for as long as you hold it. Pin a bone (N) to keep it where it is.</p>
      )}
    </div>
  );
}

function Head({ title, help }: { title: string; help: string }) {
  return (
    <div class="list-head">
      <span>{title}</span>
      <Button kind="quiet" icon="close" help={help} blocked={watching()} testid="release-all" onClick={() => void act("release_all")}>
        Release all
      </Button>
    </div>
  );
}

/** Springs that pull at once: none comes before another. */
function Pulls({ goals }: { goals: GoalInfo[] }) {
  const states = goalStates(useFrame());
  return (
    <>
      <Head title="Springs that pull" help="Take all of them away." />
      <ul class="pulls">
        {goals.map((goal) => (
          <GoalRow key={goal.id} goal={goal} state={states.get(goal.id)} />
        ))}
      </ul>
    </>
  );
}

async function carryOut(changes: Change[]): Promise<void> {
  if (changes.length > 1) void act("begin_gesture", { label: "change priorities" });
  await Promise.all(changes.map((change) => act("set_goal", { ...change })));
  if (changes.length > 1) void act("end_gesture");
}

function GoalList({ goals }: { goals: GoalInfo[] }) {
  const list = useRef<HTMLOListElement>(null);
  const carried = useSignal<number | null>(null);
  const slot = useSignal<Slot | null>(null);
  const states = goalStates(useFrame());

  const drop = () => {
    if (carried.value !== null && slot.value) void carryOut(reorder(goals, carried.value, slot.value));
    carried.value = null;
    slot.value = null;
  };
  const over = (event: PointerEvent) => {
    if (carried.value !== null && list.current) slot.value = slotAt(list.current, event.clientY, goals, carried.value);
  };
  const all = levels(goals);
  const rest = levels(goals, carried.value ?? undefined);
  return (
    <>
      <Head title="Priority order" help="Release all goals; the character moves passively." />
      <ol ref={list} class="levels" onPointerMove={over} onPointerUp={drop} onPointerCancel={() => (carried.value = null)}>
        {all.map((level) => {
          const at = rest.findIndex((other) => other.priority === level.priority);
          const alone = level.goals.length === 1 && level.goals[0]?.id === carried.value;
          const here = slot.value;
          const marks = [
            here && "join" in here && here.join === level.priority ? "joined" : "",
            here && "before" in here && !alone && at >= 0 && here.before === at ? "before" : "",
            here && "before" in here && !alone && at === rest.length - 1 && here.before === rest.length ? "after" : "",
          ];
          return (
            <li key={level.priority} class={`level ${marks.join(" ")}`} data-priority={level.priority}>
              <span class="rank" title={`Priority ${level.priority}: goals of a lower number are met first.`}>
                {level.priority}
              </span>
              <ul>
                {sortGoals(level.goals).map((goal) => (
                  <GoalRow
                    key={goal.id}
                    goal={goal}
                    state={states.get(goal.id)}
                    lifted={carried.value === goal.id}
                    lift={() => (carried.value = goal.id)}
                    move={(up) => void carryOut(moveLevel(goals, goal.id, up))}
                  />
                ))}
              </ul>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** Where something would be dropped: the middle of a level joins it, its edges are the way between. */
function slotAt(list: HTMLElement, y: number, goals: readonly GoalInfo[], moved: number): Slot {
  const rest = levels(goals, moved);
  for (const [index, level] of rest.entries()) {
    const box = list.querySelector(`[data-priority="${level.priority}"]`)?.getBoundingClientRect();
    if (!box || y > box.bottom) continue;
    const edge = Math.min(12, box.height / 3);
    if (y < box.top + edge) return { before: index };
    return y < box.bottom - edge ? { join: level.priority } : { before: index + 1 };
  }
  return { before: rest.length };
}

interface RowProps {
  goal: GoalInfo;
  state: GoalState | undefined;
  lifted?: boolean;
  /** Without, it has no place among others. */
  lift?: () => void;
  move?: (up: boolean) => void;
}

function GoalRow({ goal, state, lifted, lift, move }: RowProps) {
  const open = useSignal(false);
  const name = goalName(goal);
  const bone = scene.value?.bodies.findIndex((body) => body.name === goal.bone) ?? -1;
  const chosen = bone >= 0 && bone === selected.value;
  return (
    <li class={`goal ${lifted ? "lifted" : ""} ${chosen ? "chosen" : ""}`} data-testid={`goal-${goal.id}`}>
      <div class="goal-line">
        {lift && move && <Grip name={name} lift={lift} move={move} />}
        <button
          type="button"
          class="goal-name"
          aria-expanded={open.value}
          title={open.value ? "Fold away" : "Show its settings"}
          onClick={() => {
            open.value = !open.value;
            if (bone >= 0) selected.value = bone;
          }}
        >
          <Icon name={goalIcon(goal.kind)} size={16} />
          <span>{name}</span>
          {goal.held && <span class="held" title="A hand holds it just now" />}
        </button>
        {pulled.value && state && state.force > 0 && (
          <span class="force" title="The force of its spring: what the hand pulls with, and feels back">
            {formatForce(state.force)}
          </span>
        )}
        <span class="error" title="How far it is from its target just now">
          {formatDistance(state?.error, findGoalKind(goal.kind)?.unit ?? "m")}
        </span>
        <IconButton icon="close" size={24} label={`Let go: ${name}`} blocked={watching()} testid={`release-${goal.id}`} onClick={() => void act("release_goal", { goal: goal.id })} />
      </div>
      {open.value && <GoalSettings goal={goal} />}
    </li>
  );
}

function Grip({ name, lift, move }: { name: string; lift: () => void; move: (up: boolean) => void }) {
  return (
    <button
      type="button"
      class="grip"
      aria-label={`Priority of ${name}: drag, or use the arrow keys`}
      title="Drag to change what is met first"
      onPointerDown={(event) => {
        if (watching()) return;
        event.currentTarget.releasePointerCapture(event.pointerId);
        lift();
      }}
      onKeyDown={(event) => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        event.stopPropagation();
        if (!watching()) move(event.key === "ArrowUp");
      }}
    >
      <Icon name="grip" size={14} />
    </button>
  );
}

function Styles() {
  const characters = scene.value?.characters ?? [];
  const styles = doc.value?.styles ?? [];
  if (characters.length === 0 || styles.length === 0) return null;
  return (
    <section class="styles">
      <h4>Style: minimise</h4>
      {characters.map((character, index) => (
        <div key={character.name} class="style">
          {characters.length > 1 && <span>{character.name}</span>}
          <Segmented
            label={`Style of ${character.name}: minimise`}
            value={styles[index] ?? "acceleration"}
            choices={STYLES.map((choice) => ({ ...choice, blocked: watching(), testid: `style-${choice.value}` }))}
            onChange={(style) => void act("style", { style, character: character.name })}
          />
        </div>
      ))}
    </section>
  );
}

registerPanel({
  id: "goals",
  label: "Goals",
  icon: "target",
  help: "What is asked of the characters, and what is met first.",
  order: 10,
  where: "direct",
  shown: () => directable.value,
  Content: Goals,
});
