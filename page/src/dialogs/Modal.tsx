import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dialog } from "../store";
import "./modal.css";

export function closeDialog(): void {
  dialog.value = "";
}

interface Props {
  name: string;
  label: string;
  /** Wide and tall for a gallery, slim for a list. */
  size?: "small" | "medium" | "large" | "palette";
  /** Why it cannot be closed just now: then neither Escape nor a click beside it does. */
  firm?: boolean;
  children: ComponentChildren;
}

/** A dialog over the page; the browser keeps the focus inside and brings it back afterwards. */
export function Modal({ name, label, size = "medium", firm = false, children }: Props) {
  const node = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = node.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const leave = () => {
    if (!firm) closeDialog();
  };
  return (
    <dialog
      ref={node}
      class={`modal ${size}`}
      aria-label={label}
      data-testid={`dialog-${name}`}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) leave();
      }}
      // Keys of the stage mean nothing while a dialog is open.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="modal-body">{children}</div>
    </dialog>
  );
}

/** Title and the cross. */
export function ModalHead({ title, children, firm = false }: { title: string; children?: ComponentChildren; firm?: boolean }) {
  return (
    <header class="modal-head">
      <h2>{title}</h2>
      {children}
      {!firm && (
        <button type="button" class="cross" aria-label="Close" title="Close (Esc)" data-testid="close-dialog" onClick={closeDialog}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
          </svg>
        </button>
      )}
    </header>
  );
}

/** A message of the studio, in its own words. */
export function Trouble({ text }: { text: string }) {
  if (!text) return null;
  return (
    <p class="trouble" role="alert" data-testid="dialog-error">
      {text}
    </p>
  );
}
