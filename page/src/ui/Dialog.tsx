import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "./Button";
import "./ui.css";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons at its foot. */
  foot?: ComponentChildren;
  /** Beside the title. */
  head?: ComponentChildren;
  size?: "small" | "medium" | "large" | undefined;
  /** Only the content, no title bar (the title is said to screen readers). */
  bare?: boolean | undefined;
  class?: string | undefined;
  testid?: string | undefined;
}

/**
 * The frame of a dialog. The browser's own modal dialog keeps the focus inside, closes at Escape, and gives the focus back
 * to where it came from. What has the attribute `autofocus` gets the focus first.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, foot, head, size = "medium", bare } = props;
  const frame = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = frame.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const outside = (event: PointerEvent) => {
    if (event.target === frame.current) onClose();
  };
  return (
    <dialog
      ref={frame}
      class={`dialog ${size} ${bare ? "bare" : ""} ${props.class ?? ""}`}
      aria-label={title}
      data-testid={props.testid}
      onPointerDown={outside}
      onCancel={(event) => {
        // A chooser of files inside that is cancelled says so here, too.
        if (event.target !== frame.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // A second Escape closes it whatever we say: follow, or come back if it has to stay.
        if (!frame.current) return;
        onClose();
        requestAnimationFrame(() => {
          if (frame.current && !frame.current.open) frame.current.showModal();
        });
      }}
    >
      <div class="dialog-box">
        {!bare && (
          <header class="dialog-head">
            <h2>{title}</h2>
            {head}
            <IconButton icon="close" label="Close" keys="Esc" onClick={onClose} />
          </header>
        )}
        <div class="dialog-body">{children}</div>
        {foot && <footer class="dialog-foot">{foot}</footer>}
      </div>
    </dialog>
  );
}
