/** A table of icons: what of each body's start may change. A click locks or frees one, a row, or a column. */

import { watching } from "../../../commands/reasons";
import { formatName } from "../../../ui/text";
import { scene, selected } from "../../../store";
import { Icon, tip } from "../../../ui";
import type { BodyInfo } from "../../../wire/messages";
import { lockCells } from "../../../store/edit/locks";
import { listAttributes, listCells, isLocked, shareFree, willLock, type Locked, type Share } from "../../../store/edit/masks";
import { ATTRIBUTES, type Words } from "../../../store/edit/labels";
import "./masks.css";

type Cell = [string, string];

export function MaskTable({ locked }: { locked: Locked }) {
  const bodies = (scene.value?.bodies ?? []).filter(({ nv }) => nv > 0);
  const cells = listCells(bodies);
  const columns = ATTRIBUTES.filter(({ name }) => cells.some(([attribute]) => attribute === name));
  return (
    <table class="masks" aria-label="What may change at the start">
      <thead>
        <tr>
          <th>
            <Many label="Everything" cells={cells} locked={locked} icon="all" testid="mask-all" />
          </th>
          {columns.map((column) => (
            <th key={column.name}>
              <Many label={column.label} help={`Of all bodies: ${column.help}.`} cells={cells.filter(([attribute]) => attribute === column.name)} locked={locked} icon={column.icon} testid={`mask-${column.name.replace(" ", "-")}`} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bodies.map((body) => (
          <Row key={body.name} body={body} columns={columns} locked={locked} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ body, columns, locked }: { body: BodyInfo; columns: Words[]; locked: Locked }) {
  const own = listAttributes(body);
  const index = scene.value?.bodies.indexOf(body) ?? -1;
  return (
    <tr class={index === selected.value ? "chosen" : ""} onPointerEnter={() => (selected.value = index)}>
      <th scope="row">
        <Many label={formatName(body.name)} cells={own.map((attribute): Cell => [attribute, body.name])} locked={locked} icon="name" testid={`mask-body-${body.name}`} />
      </th>
      {columns.map((column) => (
        <td key={column.name}>{own.includes(column.name) && <One body={body.name} column={column} locked={locked} />}</td>
      ))}
    </tr>
  );
}

function One({ body, column: { name, label, icon, help }, locked }: { body: string; column: Words; locked: Locked }) {
  const free = !isLocked(locked, name, body);
  const blocked = watching();
  return (
    <button
      type="button"
      class={`mask ${free ? "free" : "locked"}`}
      aria-pressed={free}
      aria-disabled={blocked ? true : undefined}
      data-testid={`mask-${body}-${name.replace(" ", "-")}`}
      {...tip({ title: `${label} of the ${formatName(body)} ${free ? "may change" : "stays"}`, help: `${capital(help)}. Click to ${free ? "keep it" : "let it change"}.`, blocked, side: "left" })}
      onClick={() => {
        if (!blocked) void lockCells([[name, body]], free);
      }}
    >
      <Icon name={free ? icon : "lock"} size={15} />
    </button>
  );
}

interface ManyProps {
  label: string;
  help?: string;
  cells: Cell[];
  locked: Locked;
  /** An icon of the column, or words for a row. */
  icon: Words["icon"] | "name" | "all";
  testid: string;
}

/** A whole row or column at once. */
function Many({ label, help, cells, locked, icon, testid }: ManyProps) {
  const share = shareFree(locked, cells);
  const blocked = watching();
  const title = { all: `${label}: may change`, some: `${label}: some of it may change`, none: `${label}: stays` }[share];
  return (
    <button
      type="button"
      class={`mask many ${share} ${icon === "name" || icon === "all" ? "named" : ""}`}
      aria-pressed={share === "some" ? "mixed" : share === "all"}
      aria-disabled={blocked ? true : undefined}
      data-testid={testid}
      {...tip({ title, help: `${help ?? ""} Click to ${willLock(share) ? "keep all of it" : "let all of it change"}.`.trim(), blocked, side: "left" })}
      onClick={() => {
        if (!blocked) void lockCells(cells, willLock(share));
      }}
    >
      {icon === "name" || icon === "all" ? <span>{label}</span> : <Icon name={icon} size={15} />}
      {icon === "all" || icon === "name" ? <Lock share={share} /> : null}
    </button>
  );
}

function Lock({ share }: { share: Share }) {
  return share === "all" ? null : <Icon name={share === "none" ? "lock" : "unlocked"} size={12} />;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
