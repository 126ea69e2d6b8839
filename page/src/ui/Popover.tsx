import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import { Keys, placeElement, tip, type TipText } from "./Tip";
import "./ui.css";

interface PopoverProps {
  /** What stands on the button. */
  button: ComponentChildren;
  label: string;
  help?: string | undefined;
  side?: TipText["side"];
  class?: string | undefined;
  panelClass?: string | undefined;
  testid?: string | undefined;
  /** What opens; rendered only while it is open. */
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a small panel beside it; a click elsewhere or Escape closes it. */
export function Popover(props: PopoverProps) {
  const { button, label, help, side = "bottom", children, testid } = props;
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = panel.current;
    if (!element) return undefined;
    const toggled = (event: Event) => setOpen((event as ToggleEvent).newState === "open");
    element.addEventListener("beforetoggle", toggled);
    return () => element.removeEventListener("beforetoggle", toggled);
  }, []);

  useEffect(() => {
    if (!open || !panel.current || !anchor.current) return;
    placeElement(panel.current, anchor.current.getBoundingClientRect(), side, 6, "start");
    panel.current.querySelector<HTMLElement>("[autofocus], [role=menuitem], button, input")?.focus();
  }, [open]);

  const close = () => {
    panel.current?.hidePopover();
    anchor.current?.focus();
  };
  return (
    <>
      <button
        {...tip({ title: label, help, side })}
        ref={anchor}
        type="button"
        class={props.class ?? "button quiet"}
        aria-haspopup="true"
        aria-expanded={open}
        data-testid={testid}
        onClick={() => panel.current?.togglePopover()}
      >
        {button}
      </button>
      <div ref={panel} popover="auto" class={`popover ${props.panelClass ?? ""}`}>
        {open && children(close)}
      </div>
    </>
  );
}

export interface MenuItem {
  label: string;
  icon?: IconName | undefined;
  keys?: string | undefined;
  help?: string | undefined;
  blocked?: string | undefined;
  danger?: boolean | undefined;
  testid?: string | undefined;
  run: () => void;
}

/** A list of things to do; "-" is a line between them. */
export function Menu(props: Omit<PopoverProps, "children"> & { items: (MenuItem | "-")[] }) {
  return (
    <Popover {...props} panelClass="menu">
      {(close) => <MenuItems items={props.items} close={close} />}
    </Popover>
  );
}

function MenuItems({ items, close }: { items: (MenuItem | "-")[]; close: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    if (!step || all.length === 0) return;
    event.preventDefault();
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <div ref={list} role="menu" onKeyDown={walk}>
      {items.map((item, index) =>
        item === "-" ? (
          <hr key={index} />
        ) : (
          <button
            key={item.label}
            {...(item.help || item.blocked
              ? tip({ title: item.label, help: item.help, blocked: item.blocked, side: "right" })
              : {})}
            type="button"
            role="menuitem"
            class={item.danger ? "danger" : ""}
            aria-disabled={item.blocked ? true : undefined}
            data-testid={item.testid}
            onClick={() => {
              if (item.blocked) return;
              close();
              item.run();
            }}
          >
            {item.icon ? <Icon name={item.icon} size={16} /> : <span class="no-icon" />}
            <span class="menu-label">{item.label}</span>
            {item.keys && <Keys text={item.keys} />}
          </button>
        ),
      )}
    </div>
  );
}
