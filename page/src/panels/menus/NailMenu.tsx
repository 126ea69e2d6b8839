/** Beside a nail that was clicked: what it wants, how much it counts, and a way to take it out. */

import { useMemo } from "preact/hooks";
import { edit } from "../../store";
import { Button, Field, IconButton, NumberField, Slider, tip, Icon } from "../../ui";
import type { NailInfo } from "../../wire/messages";
import { findNailBody, changeNail, closeNail, removeNail } from "../../store/edit/actions";
import { colorResidual } from "../../store/edit/residual";
import { chosenNail, nailMenu, findNail } from "../../store/edit/state";
import { createGesture } from "../controls/gesture";
import { describeWeight, kindWords, listKinds, nailError, nailName } from "../../store/edit/labels";
import { hasMoreRoomRight, findSpan } from "../controls/placement";
import "./nails.css";

export function NailMenu() {
  const [menu, nail] = [nailMenu.value, findNail(chosenNail.value)];
  if (!menu || !nail) return null;
  return (
    <div class="nail-menu" style={place(menu)} role="dialog" aria-label="Nail" data-testid="nail-menu">
      <header>
        <strong>{nailName(nail)}</strong>
        <Residual nail={nail} />
        <IconButton icon="close" size={24} label="Close" keys="Esc" onClick={closeNail} testid="nail-close" />
      </header>
      <NailKinds nail={nail} />
      <NailFields nail={nail} />
      <div class="nail-actions">
        <Button kind="quiet" icon="trash" keys="Del" onClick={() => void removeNail(nail.id)} testid="nail-remove">
          Remove
        </Button>
        <Button kind="quiet" keys="Esc" onClick={closeNail} testid="nail-done">
          Done
        </Button>
      </div>
    </div>
  );
}

const [WIDE, HIGH] = [256, 250];

/** At that edge of the stage where there is more room beside the character: over it, it would hide what it is about. */
function place({ x, y }: { x: number; y: number }): { left: string; top: string } {
  const stage = document.querySelector(".stage")?.getBoundingClientRect();
  const [left, right, bottom] = [stage?.left ?? 0, stage?.right ?? innerWidth, stage?.bottom ?? innerHeight];
  const at = hasMoreRoomRight(findSpan(x), left, right - 56) ? Math.max(left + 12, right - WIDE - 56) : left + 12;
  return { left: `${at}px`, top: `${Math.max((stage?.top ?? 44) + 12, Math.min(y - HIGH / 2, bottom - HIGH - 12))}px` };
}

/** How far it is from being met. */
export function Residual({ nail }: { nail: NailInfo }) {
  const done = edit.value?.done ?? 1e-3;
  const met = nail.error <= done;
  const text = met ? "met" : `${nailError(nail)} off`;
  return (
    <span class="residual" style={{ "--residual": colorResidual(nail.error, done) }} {...tip({ title: met ? "Met" : `Off by ${nailError(nail)}`, help: "How far the motion is from this nail now." })}>
      {text}
    </span>
  );
}

export function NailKinds({ nail }: { nail: NailInfo }) {
  const fitting = listKinds(findNailBody(nail));
  const kinds = fitting.some(({ name }) => name === nail.kind) ? fitting : [...fitting, kindWords(nail.kind)];
  return (
    <div class="nail-kinds" role="radiogroup" aria-label="What the nail wants">
      {kinds.map(({ name: kind, label, icon, help }) => (
        <button
          key={kind}
          type="button"
          role="radio"
          aria-checked={kind === nail.kind}
          data-testid={`nail-${kind}`}
          {...tip({ title: label, help })}
          onClick={() => kind !== nail.kind && void changeNail(nail.id, { kind })}
        >
          <Icon name={icon} size={16} />
          <span>{label}</span>
        </button>
      ))}
    </div>
  );
}

/** Its moment and how much it counts. */
export function NailFields({ nail }: { nail: NailInfo }) {
  const hand = useMemo(() => createGesture("edit_strength", "change the strength of a nail"), [nail.id]);
  const args = (strength: number) => ({ nail: nail.id, strength });
  return (
    <>
      <Field label="At" help="The moment at which it is wanted.">
        <NumberField
          label="Moment of the nail"
          unit="s"
          value={nail.time}
          min={0}
          max={edit.value?.duration ?? 1}
          step={0.005}
          digits={3}
          testid="nail-time"
          strict
          onInput={() => {}}
          onCommit={(time) => void changeNail(nail.id, { time })}
        />
      </Field>
      <Field label="Counts" help="If constraints conflict, nails of more strength are met better.">
        <Slider label="How much it counts" value={nail.strength} min={0.1} max={10} log say={describeWeight} testid="nail-strength" onInput={(value) => hand.change(args(value))} onCommit={(value) => void hand.end(args(value))} />
        <span class="counts">{describeWeight(nail.strength)}</span>
      </Field>
    </>
  );
}
