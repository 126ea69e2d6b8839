import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { describeRange, clampNumber, scrubNumber, parseNumber, formatNumber, type NumberRange } from "./numbers";
import { tip } from "./Tip";
import "./ui.css";

interface NumberFieldProps extends NumberRange {
  value: number;
  label: string;
  help?: string | undefined;
  unit?: string | undefined;
  /** Dragging multiplies instead of adding. */
  log?: boolean | undefined;
  /** Change per pixel of dragging. */
  speed?: number | undefined;
  digits?: number | undefined;
  blocked?: string | undefined;
  testid?: string | undefined;
  /** What is out of range is not taken at all, instead of the nearest that is not: for what has large consequences. */
  strict?: boolean | undefined;
  /** While it is dragged, and when it is set. */
  onInput: (value: number) => void;
  /** Once, when it is set for good; if not given, only `onInput` is called. */
  onCommit?: ((value: number) => void) | undefined;
}

/** A number: drag it sideways to change it (Shift: finer), click it to type, arrow keys to step. */
export function NumberField(props: NumberFieldProps) {
  const { value, label, help, unit, blocked, digits, testid } = props;
  const [text, setText] = useState<string | null>(null);
  const drag = useRef<{ x: number; from: number; moved: boolean; last: number } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const entered = useRef(false);
  // As soon as the number is there in full, and before a key is: what is typed replaces it.
  useLayoutEffect(() => {
    if (text === null || !entered.current) return;
    entered.current = false;
    input.current?.select();
  }, [text]);

  const set = (next: number) => {
    if (next !== value) props.onInput(next);
    props.onCommit?.(next);
  };
  const finish = () => {
    if (text === null) return;
    const number = parseNumber(text);
    setText(null);
    if (number === null) {
      if (text.trim() !== "") object(`“${text.trim()}” is not a number`);
      return;
    }
    const next = clampNumber(number, { min: props.min, max: props.max });
    const outside = Math.abs(next - number) > 1e-9 * Math.abs(number);
    if (outside) object(`${formatNumber(number)} is out of range`);
    if (next !== value && !(outside && props.strict)) set(next);
  };
  /** Never drop silently what somebody typed. */
  const object = (what: string) => {
    const remark = `${label}: ${what}. Allowed: ${describeRange(props, unit)}.`;
    box.current?.dispatchEvent(new CustomEvent("remark", { bubbles: true, detail: remark }));
    box.current?.animate([{ borderColor: "var(--warn)", background: "color-mix(in srgb, var(--warn), transparent 70%)" }, {}], 900);
  };
  const down = (event: PointerEvent) => {
    if (blocked || event.button !== 0 || text !== null) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, from: value, moved: false, last: value };
  };
  const move = (event: PointerEvent) => {
    const held = drag.current;
    if (!held) return;
    const pixels = event.clientX - held.x;
    if (!held.moved && Math.abs(pixels) < 3) return;
    held.moved = true;
    const next = scrubNumber(held.from, pixels, props, event.shiftKey);
    if (next !== held.last) props.onInput(next);
    held.last = next;
  };
  const up = () => {
    const held = drag.current;
    drag.current = null;
    if (!held) return;
    if (held.moved) props.onCommit?.(held.last);
    else input.current?.focus();
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === "Escape") {
      if (event.key === "Escape") setText(null);
      // The change of `text` above is not seen by `finish` before the next render: a blur must not undo the Escape.
      if (event.key === "Enter") finish();
      event.stopPropagation();
      requestAnimationFrame(() => input.current?.blur());
      return;
    }
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || blocked) return;
    event.preventDefault();
    const pixels = step * (event.shiftKey ? 10 : 1);
    const next = props.step ? clampNumber(value + pixels * props.step, props) : scrubNumber(value, pixels * 2, props);
    setText(null);
    set(next);
  };
  return (
    <div
      ref={box}
      {...tip({ title: label, help, blocked })}
      class={`number ${blocked ? "off" : ""} ${text === null ? "" : "typing"}`}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      // Focus comes with a click that was no drag, not with the press.
      onMouseDown={(event) => {
        if (text === null) event.preventDefault();
      }}
    >
      <input
        ref={input}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        data-testid={testid}
        disabled={Boolean(blocked)}
        value={text ?? formatNumber(value, digits)}
        onFocus={() => {
          setText(formatNumber(value, 12));
          entered.current = true;
        }}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={finish}
        onKeyDown={key}
      />
      {unit && <span class="unit">{unit}</span>}
    </div>
  );
}
