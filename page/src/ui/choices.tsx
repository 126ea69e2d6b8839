/** Small controls to choose with: a switch, one of several, and tabs. */

import type { ComponentChildren } from "preact";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import { tip, type TipText } from "./Tip";
import { walkFocus } from "./focus";
import "./ui.css";

interface ToggleProps {
  on: boolean;
  label: string;
  help?: string | undefined;
  keys?: string | undefined;
  blocked?: string | undefined;
  testid?: string | undefined;
  /** The label is only said, not written. */
  bare?: boolean | undefined;
  onChange: (on: boolean) => void;
}

/** On or off. */
export function Toggle({ on, label, help, keys, blocked, testid, bare, onChange }: ToggleProps) {
  return (
    <button
      {...tip({ title: label, help, keys, blocked })}
      type="button"
      role="switch"
      class="toggle"
      aria-checked={on}
      aria-disabled={blocked ? true : undefined}
      data-testid={testid}
      onClick={() => {
        if (!blocked) onChange(!on);
      }}
    >
      <span class="toggle-track" />
      {!bare && <span class="toggle-label">{label}</span>}
    </button>
  );
}

export interface Choice<T extends string> {
  value: T;
  label: string;
  icon?: IconName | undefined;
  help?: string | undefined;
  keys?: string | undefined;
  blocked?: string | undefined;
  testid?: string | undefined;
}

interface ChoicesProps<T extends string> {
  value: T;
  /** What is chosen between, for a screen reader. */
  label: string;
  choices: Choice<T>[];
  onChange: (value: T) => void;
}

interface SegmentedProps<T extends string> extends ChoicesProps<T> {
  /** Only the icons are shown. */
  icons?: boolean | undefined;
  upright?: boolean | undefined;
  side?: TipText["side"];
}

/** One of a few, all in sight. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const { value, label, choices, icons, upright, side, onChange } = props;
  return (
    <div class={`segmented ${upright ? "upright" : ""}`} role="radiogroup" aria-label={label} onKeyDown={walk}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          {...tip({ title: choice.label, help: choice.help, keys: choice.keys, blocked: choice.blocked, side })}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          aria-disabled={choice.blocked ? true : undefined}
          tabIndex={choice.value === value ? 0 : -1}
          data-testid={choice.testid}
          onClick={() => {
            if (!choice.blocked) onChange(choice.value);
          }}
        >
          {choice.icon && <Icon name={choice.icon} size={16} />}
          {!icons && <span>{choice.label}</span>}
        </button>
      ))}
    </div>
  );
}

/** Tabs; the panel below is the caller's, best with `role="tabpanel"`. */
export function Tabs<T extends string>({ value, label, choices, onChange }: ChoicesProps<T>) {
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={walk}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          {...(choice.help ? tip({ title: choice.label, help: choice.help, keys: choice.keys }) : {})}
          type="button"
          role="tab"
          aria-selected={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          data-testid={choice.testid}
          onClick={() => onChange(choice.value)}
        >
          {choice.icon && <Icon name={choice.icon} size={16} />}
          <span>{choice.label}</span>
        </button>
      ))}
    </div>
  );
}

/** Arrow keys go through the choices, as screen readers tell people. */
const walk = (event: KeyboardEvent): void => walkFocus(event, { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }, "button:not([aria-disabled])")?.click();

/** The word beside a switch is part of it. */
function switchIt(event: MouseEvent): void {
  (event.currentTarget as Element).parentElement?.querySelector<HTMLElement>("[role=switch]")?.click();
}

/** A name and a control beside it. */
export function Field({ label, help, children }: { label: string; help?: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <span class="field-label" {...(help ? tip({ title: label, help, side: "left" }) : {})} onClick={switchIt}>
        {label}
      </span>
      <div class="field-control">{children}</div>
    </div>
  );
}
