/** What is wanted of the motion: how near it is, the nails, and the search for a motion that meets them. */

import { useSignal } from "@preact/signals";
import { findCommand, runCommand } from "../../commands/registry";
import { watching } from "../../commands/reasons";
import { edit } from "../../store";
import { Button, Icon, IconButton, shownKey } from "../../ui";
import type { Edit, NailInfo, TransitionInfo } from "../../wire/messages";
import { capitalize } from "../../ui/text";
import { chooseNail, removeNail } from "../../store/edit/actions";
import { TransitionFields } from "../menus/TransitionMenu";
import { removeTransition } from "../../store/edit/transitions";
import { NailFields, NailKinds, Residual } from "../menus/NailMenu";
import { colorResidual } from "../../store/edit/residual";
import { chosenTransition, chosenNail, seekEdit } from "../../store/edit/state";
import { transitionWords, kindWords, nailTitle } from "../../store/edit/labels";
import { registerPanel } from "../registry";

function NailsPanel() {
  const open = edit.value;
  if (!open?.open) return <p class="quiet">No motion is open yet. Choose on the stage what to edit.</p>;
  return (
    <>
      <Standing open={open} />
      {open.nails.length === 0 ? <Nothing /> : <Nails nails={open.nails} />}
      <Happenings transitions={open.transitions} />
    </>
  );
}

function Nothing() {
  return (
    <div class="nothing">
      <Icon name="hand" size={28} />
      <strong>Nothing is nailed</strong>
      <p>
        Scrub to a moment and drag the character there: the whole motion follows. Double-click a body, or press N and click it, to nail it where it is. Then drag somewhere else: what is nailed stays.
      </p>
    </div>
  );
}

/** How it stands in a sentence, and what can be done about it. */
function Standing({ open }: { open: Edit }) {
  const unmet = open.nails.filter(({ error }) => error > open.done).length;
  const [text, state] = describeSearch(open, unmet);
  return (
    <section class="edit-standing" aria-label="How near the motion is">
      <p class={`edit-state ${state}`} data-testid="edit-state" role="status">
        <i style={{ background: DOTS[state] ?? colorResidual(open.worst, open.done) }} />
        {text}
      </p>
      <div class="edit-buttons">
        {open.busy && !open.held ? (
          <Action id="edit.stop" kind="plain" icon="stop" text="Stop" />
        ) : (
          <Action id="edit.solve" kind={open.error > open.done ? "primary" : "plain"} icon="solve" text="Solve" />
        )}
        <Action id="edit.solveNails" kind="plain" icon="pin" text="Nails only" />
        <span class="spacer" />
        <Action id="project.undo" kind="quiet" icon="undo" />
        <Action id="project.redo" kind="quiet" icon="redo" />
      </div>
    </section>
  );
}

/** Of states that no nail is the reason of. */
const DOTS: Record<string, string> = { busy: "var(--accent)", calm: "var(--text-3)", missed: "var(--bad)" };

const ALL_MET: Record<number, string> = { 1: "The nail is met.", 2: "Both nails are met." };

function describeSearch({ nails, busy, held, columns, error, done }: Pick<Edit, "nails" | "busy" | "held" | "columns" | "error" | "done">, unmet: number): [string, string] {
  if (held) return ["You drag the motion.", "busy"];
  if (busy) return ["Solving…", "busy"];
  if (columns === 0) return ["Everything is locked: nothing may change.", "unmet"];
  if (unmet === 0 && error > done) return ["Something that should happen does not happen yet.", "missed"];
  if (nails.length === 0) return ["Nothing is wanted of the motion yet.", "calm"];
  if (unmet === 0) return [ALL_MET[nails.length] ?? `All ${nails.length} nails are met.`, "met"];
  return [unmet === 1 && nails.length === 1 ? "The nail is not met yet." : `${unmet} of ${nails.length} nails are not met yet.`, "unmet"];
}

interface ActionProps {
  id: string;
  kind: "plain" | "primary" | "quiet";
  icon: "solve" | "pin" | "stop" | "undo" | "redo";
  text?: string;
}

function Action({ id, kind, icon, text }: ActionProps) {
  const found = findCommand(id);
  const about = { help: found.help, keys: shownKey(found), blocked: found.blocked?.() };
  if (!text) return <IconButton icon={icon} label={found.title} {...about} onClick={() => runCommand(id)} />;
  return (
    <Button kind={kind} icon={icon} label={found.title} {...about} onClick={() => runCommand(id)} testid={id.replace(".", "-")}>
      {text}
    </Button>
  );
}

function Nails({ nails }: { nails: NailInfo[] }) {
  const sorted = [...nails].sort((a, b) => a.time - b.time);
  return (
    <ul class="pulls edit-nails" aria-label="Nails">
      {sorted.map((nail) => (
        <NailRow key={nail.id} nail={nail} name={nailTitle(nail, sorted)} />
      ))}
    </ul>
  );
}

function NailRow({ nail, name }: { nail: NailInfo; name: string }) {
  const unfolded = useSignal(false);
  const chosen = chosenNail.value === nail.id;
  return (
    <li class={`goal ${chosen ? "chosen" : ""}`} data-testid={`nail-row-${nail.id}`}>
      <div class="goal-line">
        <button
          type="button"
          class="goal-name"
          aria-expanded={unfolded.value}
          title={unfolded.value ? "Fold away" : "Go there, and show its settings"}
          onClick={() => {
            unfolded.value = !unfolded.value;
            chooseNail(nail);
          }}
        >
          <Icon name={kindWords(nail.kind).icon} size={16} />
          <span>{name}</span>
        </button>
        <span class="error">{nail.time.toFixed(2)} s</span>
        <Residual nail={nail} />
        <IconButton icon="close" size={24} label={`Take out: ${name}`} blocked={watching()} testid={`unnail-${nail.id}`} onClick={() => void removeNail(nail.id)} />
      </div>
      {unfolded.value && (
        <div class="goal-settings">
          <NailKinds nail={nail} />
          <NailFields nail={nail} />
        </div>
      )}
    </li>
  );
}

/** What happens on the way, in the order of time. */
function Happenings({ transitions }: { transitions: TransitionInfo[] }) {
  if (transitions.length === 0) return null;
  return (
    <>
      <div class="list-head">
        <span>What happens</span>
      </div>
      <ul class="pulls edit-nails" aria-label="What happens">
        {transitions.map((transition) => (
          <Happening key={transition.index} transition={transition} />
        ))}
      </ul>
    </>
  );
}

function Happening({ transition }: { transition: TransitionInfo }) {
  const unfolded = useSignal(false);
  const { index, kind, text, time, missed } = transition;
  const { name, icon } = transitionWords(kind);
  return (
    <li class={`goal happening ${missed ? "missed" : ""}`} data-testid={`happening-${index}`}>
      <div class="goal-line">
        <button
          type="button"
          class="goal-name"
          aria-expanded={unfolded.value}
          title={unfolded.value ? "Fold away" : `Go there, and show its settings. ${text}`}
          onClick={() => {
            unfolded.value = !unfolded.value;
            chosenTransition.value = null;
            seekEdit(time);
          }}
        >
          <Icon name={icon} size={16} />
          <span>{capitalize(text).replace(/\.$/, "")}</span>
        </button>
        <IconButton icon="close" size={24} label={`Take this out: ${name.toLowerCase()}`} help="The motion goes on as before it." blocked={watching()} onClick={() => void removeTransition(index)} />
      </div>
      {unfolded.value && (
        <div class="goal-settings">
          <TransitionFields transition={transition} />
        </div>
      )}
    </li>
  );
}

registerPanel({
  id: "wanted",
  label: "Nails",
  icon: "pin",
  help: "What is wanted of the motion, and how near it is.",
  order: 10,
  where: "edit",
  Content: NailsPanel,
});
