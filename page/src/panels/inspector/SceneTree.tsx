import { scene, selected } from "../../store";
import { Field, Icon, written } from "../../ui";
import type { BodyInfo } from "../../wire/messages";
import type { Parameter } from "../controls/parameters";
import { Quantity } from "../controls/Quantity";
import { toDegrees } from "./parts/joints";
import { ownMass } from "./parts/masses";
import { formatStrength, isAngle, jointWord } from "./parts/labels";
import { registerPanel } from "../registry";

const MASS: Parameter = {
  name: "mass",
  label: "Mass of the bone",
  help: "Of the bone itself; flesh that is fixed to it comes on top.",
  unit: "kg",
  min: 0,
  max: 1000,
  step: 0.001,
  usual: null,
};

/** Of more characters than this, only the bones of the selected one are listed. */
const CROWD = 12;

/** Scene outline; a click selects here and there. */
function SceneTree() {
  const shown = scene.value;
  if (!shown) return <p class="quiet">The scene appears as soon as it is ready.</p>;
  const loose = shown.bodies.flatMap((body, index) => (body.character < 0 ? [index] : []));
  const body = shown.bodies[selected.value];
  return (
    <>
      <header class="scene-head">
        <strong>{shown.name}</strong>
        <p>{shown.description}</p>
      </header>
      <ul class="tree" role="tree" aria-label="Scene" onKeyDown={walk}>
        {shown.characters.map((character) => (
          <li key={character.name} role="none">
            <button type="button" class="tree-title" onClick={() => (selected.value = character.root)}>
              <Icon name="users" size={14} /> {shown.characters.length === 1 ? "Character" : character.name}
              <span>{character.bodies.length} bones</span>
            </button>
            {(shown.characters.length <= CROWD || character.bodies.includes(selected.value)) && (
              <Branches bodies={shown.bodies} among={character.bodies} />
            )}
          </li>
        ))}
        {loose.length > 0 && (
          <li role="none">
            <div class="tree-title">
              <Icon name="joint" size={14} /> Things
              <span>{loose.length}</span>
            </div>
            <Branches bodies={shown.bodies} among={loose} />
          </li>
        )}
      </ul>
      {body ? <Details body={body} index={selected.value} bodies={shown.bodies} /> : <p class="quiet">Click a bone here or on the stage to see what it is.</p>}
    </>
  );
}

/** Bones one under the other, indented by how deep they hang. */
function Branches({ bodies, among }: { bodies: BodyInfo[]; among: number[] }) {
  const inside = new Set(among);
  const children = (parent: number) => among.filter((index) => bodies[index]?.parent === parent);
  const roots = among.filter((index) => !inside.has(bodies[index]?.parent ?? -1));
  const lines: { index: number; depth: number }[] = [];
  const descend = (index: number, depth: number) => {
    lines.push({ index, depth });
    for (const child of children(index)) descend(child, depth + 1);
  };
  for (const root of roots) descend(root, 0);
  return (
    <>
      {lines.map(({ index, depth }) => {
        const chosen = selected.value === index;
        return (
          <button
            key={index}
            type="button"
            role="treeitem"
            aria-level={depth + 1}
            aria-selected={chosen}
            tabIndex={chosen || (selected.value < 0 && index === roots[0]) ? 0 : -1}
            // Deep chains must not run out of the panel.
            style={{ paddingLeft: `${12 + 10 * Math.min(depth, 8)}px` }}
            data-testid={`body-${bodies[index]?.name}`}
            onClick={() => (selected.value = chosen ? -1 : index)}
          >
            <Icon name="bone" size={14} />
            <span>{bodies[index]?.name}</span>
          </button>
        );
      })}
    </>
  );
}

function walk(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>("[role=treeitem]")];
  const next = all[all.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
  next.click();
}

function Details({ body, index, bodies }: { body: BodyInfo; index: number; bodies: BodyInfo[] }) {
  const own = ownMass(body.mass, index, scene.value?.flesh ?? null);
  const said = (value: number, k: number) => (isAngle(body, k) ? `${written(toDegrees(value), 3)}°` : `${written(value, 3)} m`);
  return (
    <section class="details" aria-label={`Details of ${body.name}`}>
      <h4>{body.name}</h4>
      <Quantity key={index} parameter={MASS} value={own} command="edit_body" args={(mass) => ({ body: body.name, mass })} late />
      {body.mass > own && (
        <Field label="With its flesh" help="Together with the flesh that is fixed to it.">
          <span>{written(body.mass, 3)} kg</span>
        </Field>
      )}
      <Field label="Hangs on">
        <span>{bodies[body.parent]?.name ?? "the world"}</span>
      </Field>
      <Field label="Joint">
        <span>
          {body.joint} ({jointWord(body.kind)})
        </span>
      </Field>
      {body.limits.map(([low, high], k) => (
        <Field key={k} label={body.limits.length > 1 ? `Limits ${k + 1}` : "Limits"}>
          <span>
            {said(low, k)} to {said(high, k)}
          </span>
        </Field>
      ))}
      {body.effort.length > 0 && (
        <Field label="Strength">
          <span>{formatStrength(body)}</span>
        </Field>
      )}
    </section>
  );
}

registerPanel({
  id: "scene",
  label: "Scene",
  icon: "tree",
  help: "Scene outline: all characters and bodies.",
  order: 40,
  Content: SceneTree,
});
