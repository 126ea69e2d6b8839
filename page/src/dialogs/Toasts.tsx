import { useLayoutEffect, useRef } from "preact/hooks";
import { dialog, dismiss, toasts } from "../store";
import "./toasts.css";

/** Short messages at the corner of the stage. They are in the browser's top layer, so that no dialog hides them. */
export function Toasts() {
  const node = useRef<HTMLDivElement>(null);
  const shown = toasts.value;
  useLayoutEffect(() => {
    const layer = node.current;
    if (!layer || typeof layer.showPopover !== "function") return;
    // What is shown last lies on top: again for every dialog that opens.
    if (layer.matches(":popover-open")) layer.hidePopover();
    if (shown.length) layer.showPopover();
  }, [shown.length, dialog.value]);
  return (
    <div ref={node} class="toasts" popover="manual">
      {shown.map((toast) => (
        <div key={toast.id} class={`toast ${toast.level}`} role={toast.level === "error" ? "alert" : "status"} data-testid="toast">
          <span class="mark" aria-hidden="true" />
          <p>{toast.text}</p>
          <button type="button" aria-label="Dismiss this message" title="Dismiss" onClick={() => dismiss(toast.id)}>
            <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
              <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
            </svg>
          </button>
        </div>
      ))}
    </div>
  );
}
