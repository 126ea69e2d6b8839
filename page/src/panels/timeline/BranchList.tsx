import { useEffect, useRef, useState } from "preact/hooks";
import { watching } from "../../commands/reasons";
import { act, status } from "../../store";
import type { LaneInfo } from "../../wire/messages";
import { IconButton, tip } from "../../ui";
import type { BranchRow } from "../../store/timeline/branches";
import { shownTime, seek } from "../../store/timeline/state";

/** Look at a lane, at the same moment if it has one; else at the nearest that it has. */
export function showBranch(lane: LaneInfo, time = shownTime()): void {
  seek(time, lane.id);
}

/** The lanes by name: a list to choose from. */
export function BranchList({ rows }: { rows: BranchRow[] }) {
  const [renamed, setRenamed] = useState<number | null>(null);
  const looked = status.value?.lane ?? null;
  const at = rows.findIndex((row) => row.lane.id === looked);
  const key = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const row = rows[at];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = rows[at + step];
      if (next) showBranch(next.lane);
    } else if ((event.key === "F2" || event.key === "Enter") && row) setRenamed(row.lane.id);
    else if (event.key === "Delete" && row) remove(row.lane);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="lane-list"
      role="listbox"
      aria-label="Lanes of the take"
      aria-activedescendant={at >= 0 ? `lane-${looked}` : undefined}
      tabIndex={rows.length ? 0 : -1}
      onKeyDown={key}
    >
      {rows.map((row) => (
        <LaneName
          key={row.lane.id}
          row={row}
          looked={row.lane.id === looked}
          renaming={renamed === row.lane.id}
          rename={(on) => setRenamed(on ? row.lane.id : null)}
        />
      ))}
    </div>
  );
}

interface LaneNameProps {
  row: BranchRow;
  looked: boolean;
  renaming: boolean;
  rename: (on: boolean) => void;
}

function LaneName({ row, looked, renaming, rename }: LaneNameProps) {
  const { lane, depth } = row;
  const blocked = watching();
  return (
    <div
      id={`lane-${lane.id}`}
      class="lane-name"
      role="option"
      aria-selected={looked}
      data-testid={`lane-${lane.id}`}
      style={{ paddingLeft: `${12 + Math.min(depth, 5) * 10}px` }}
      onClick={() => showBranch(lane)}
      onDblClick={() => !blocked && rename(true)}
    >
      {renaming ? (
        <NameInput
          name={lane.name}
          label="Name of the lane"
          done={(name) => {
            rename(false);
            if (name && name !== lane.name) void act("rename_lane", { lane: lane.id, name });
          }}
        />
      ) : (
        <>
          <span
            class="lane-title"
            {...tip({
              title: lane.name,
              help: `${depth ? `A branch that leaves at ${lane.start.toFixed(2)} s and` : "It"} goes to ${lane.end.toFixed(2)} s. Click to look at it, double-click to rename it.`,
              side: "right",
            })}
          >
            {lane.name}
          </span>
          <span class="lane-acts">
            <IconButton icon="pencil" size={24} label="Rename" blocked={blocked} onClick={stopped(() => rename(true))} />
            <IconButton
              icon="trash"
              size={24}
              label="Delete this lane"
              help="It goes out of sight; undo, or the list of deleted lanes, brings it back."
              blocked={blocked}
              testid={`delete-lane-${lane.id}`}
              onClick={stopped(() => remove(lane))}
            />
          </span>
        </>
      )}
    </div>
  );
}

/** A click on a small button in a row is not a click on the row. */
function stopped(run: () => void): (event: MouseEvent) => void {
  return (event) => {
    event.stopPropagation();
    run();
  };
}

function remove(lane: LaneInfo): void {
  void act("delete_lane", { lane: lane.id });
}

interface NameInputProps {
  name: string;
  label: string;
  /** The new name; empty if it was given up. */
  done: (name: string) => void;
}

/** A name being written. What is written so far is its own: the rows around it are drawn anew several times a second. */
export function NameInput({ name, label, done }: NameInputProps) {
  const [text, setText] = useState(name);
  const given = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const finish = (chosen: string) => {
    if (given.current) return;
    given.current = true;
    done(chosen.trim());
  };
  const own = (event: Event) => event.stopPropagation();
  return (
    <input
      ref={field}
      class="name-input"
      aria-label={label}
      value={text}
      maxLength={60}
      spellcheck={false}
      onInput={(event) => setText(event.currentTarget.value)}
      onClick={own}
      onDblClick={own}
      onPointerDown={own}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish(event.currentTarget.value);
        else if (event.key === "Escape") finish("");
        event.stopPropagation();
      }}
      onBlur={(event) => finish(event.currentTarget.value)}
    />
  );
}
