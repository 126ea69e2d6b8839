import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { readers, suffixes } from "../../store/formats";
import { Icon } from "../../ui";
import { openDropped } from "./opening";

/** Whether files are being dragged, and not a selection of text or a card of the page. */
function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** A file may be dropped anywhere on the page. */
export function Drop() {
  const over = useSignal(false);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Entering a child leaves its parent: only the count tells when the page itself is left.
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth += 1;
      over.value = true;
    };
    const leave = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth = Math.max(0, depth - 1);
      over.value = depth > 0;
    };
    const hover = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth = 0;
      over.value = false;
      void openDropped([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("dragover", hover);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", hover);
      window.removeEventListener("drop", drop);
    };
  }, []);
  useLayoutEffect(() => {
    layer.current?.togglePopover(over.value);
  }, [over.value]);
  return (
    <div ref={layer} class="drop" popover="manual" data-testid="drop">
      <div>
        <Icon name="download" size={36} />
        <strong>Drop to open</strong>
        <span>A project, or a scene ({suffixes(readers("scene")).join(", ")}) with its shapes</span>
      </div>
    </div>
  );
}
