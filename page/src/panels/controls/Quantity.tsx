import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { watching } from "../../commands/reasons";
import { Button, Field, IconButton, NumberField, written } from "../../ui";
import { createGesture } from "./gesture";
import { isDefault, fromShown, toShown, type Parameter } from "./parameters";

interface Props {
  parameter: Parameter;
  value: number;
  command: string;
  /** Arguments of the command that set this value. */
  args: (value: number) => Record<string, unknown>;
  /** What a reset goes back to, if the parameter does not say it. */
  first?: number | undefined;
  /** Too costly to be tried out while dragging. */
  late?: boolean | undefined;
  blocked?: string | undefined;
}

/** A number of the simulation: scrub it and see what it does, one step of undo when the hand lets go. */
export function Quantity({ parameter, value, command, args, first, late, blocked }: Props) {
  const { label, help, unit, min, max, step, log } = parameter;
  const pending = useSignal<number | null>(null);
  const hand = useMemo(() => createGesture(command, `change ${label.toLowerCase()}`), [command, label]);
  const usual = parameter.usual ?? first ?? null;
  const now = pending.value ?? value;
  const why = blocked || watching();

  const change = (next: number) => {
    pending.value = fromShown(parameter, next);
    if (!late) hand.change(args(pending.value));
  };
  const end = async (next: number) => {
    pending.value = fromShown(parameter, next);
    await hand.end(args(pending.value));
    pending.value = null;
  };
  const reset = () => void hand.end(args(usual as number));
  return (
    <Field label={label} help={help}>
      {usual !== null && !isDefault(now, usual) && (
        <IconButton
          icon="restore"
          size={24}
          label={`Back to ${Number.isFinite(usual) ? `${written(toShown(parameter, usual))} ${unit}`.trim() : "no limit"}`}
          help={parameter.usual === null ? "As it was when the scene was opened." : "The usual value."}
          blocked={why}
          class="reset"
          onClick={reset}
        />
      )}
      {Number.isFinite(now) ? (
        <NumberField
          label={label}
          help={help}
          unit={unit}
          value={toShown(parameter, now)}
          min={min}
          max={max}
          step={step}
          log={log}
          blocked={why}
          testid={`parameter-${parameter.name}`}
          onInput={change}
          onCommit={(next) => void end(next)}
        />
      ) : (
        <Button class="unbounded" help={help} blocked={why} label={label} onClick={() => void hand.end(args(fromShown(parameter, max / 100)))}>
          No limit
        </Button>
      )}
    </Field>
  );
}
