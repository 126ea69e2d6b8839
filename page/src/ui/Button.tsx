import type { ComponentChildren } from "preact";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import { tip, type TipText } from "./Tip";
import "./ui.css";

interface Pressable {
  onClick?: ((event: MouseEvent) => void) | undefined;
  /** Why it cannot be pressed just now; empty if it can. It stays reachable, so that the reason can be read. */
  blocked?: string | undefined;
  /** Of a button that stays pressed. */
  active?: boolean | undefined;
  testid?: string | undefined;
  class?: string | undefined;
  side?: TipText["side"];
}

function pressing({ onClick, blocked, active, testid }: Pressable) {
  return {
    type: "button" as const,
    "aria-disabled": blocked ? (true as const) : undefined,
    "aria-pressed": active,
    "data-testid": testid,
    onClick: (event: MouseEvent) => {
      if (!blocked) onClick?.(event);
    },
  };
}

interface ButtonProps extends Pressable {
  children?: ComponentChildren;
  icon?: IconName | undefined;
  kind?: "plain" | "primary" | "quiet" | "danger" | undefined;
  help?: string | undefined;
  keys?: string | undefined;
  /** What it is called if its text does not say it. */
  label?: string | undefined;
  submit?: boolean | undefined;
}

/** A button with a text. */
export function Button(props: ButtonProps) {
  const { children, icon, kind = "plain", label, help, keys, blocked, side, submit } = props;
  const title = label ?? (typeof children === "string" ? children : "");
  const texts = help || keys || blocked || label ? tip({ title, help, keys, blocked, side }) : {};
  return (
    <button {...texts} {...pressing(props)} {...(submit ? { type: "submit" as const } : {})} class={`button ${kind} ${props.class ?? ""}`}>
      {icon && <Icon name={icon} size={16} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

interface IconButtonProps extends Pressable {
  icon: IconName;
  /** What it is called: title of its tip, and its name for a screen reader. */
  label: string;
  help?: string | undefined;
  keys?: string | undefined;
  /** Of the button [px]: 28 if not given. */
  size?: 24 | 28 | 36 | undefined;
}

/** A button that is only an icon. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, help, keys, blocked, side, size = 28 } = props;
  return (
    <button
      {...tip({ title: label, help, keys, blocked, side })}
      {...pressing(props)}
      class={`icon-button size-${size} ${props.class ?? ""}`}
    >
      <Icon name={icon} size={size === 36 ? 20 : size === 24 ? 16 : 18} />
    </button>
  );
}
