import type { ComponentChildren } from "preact";
import { persistentSignal } from "../../store";
import { Icon } from "../../ui";

const closed = persistentSignal<string[]>("closedGroups", []);

/** A part of a panel that can be folded away; what is folded stays so. */
export function Group({ title, aside, children }: { title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  const open = !closed.value.includes(title);
  const toggle = () => {
    closed.value = open ? [...closed.value, title] : closed.value.filter((other) => other !== title);
  };
  return (
    <section class="group">
      <div class="group-head">
        <button type="button" aria-expanded={open} onClick={toggle}>
          <Icon name={open ? "down" : "right"} size={14} />
          {title}
        </button>
        {aside}
      </div>
      {open && <div class="group-body">{children}</div>}
    </section>
  );
}
