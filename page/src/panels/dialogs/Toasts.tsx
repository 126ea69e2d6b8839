import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { act, dialog, dismissToast, status, toasts } from "../../store";
import { capitalize } from "../../ui/text";
import { Button, Progress } from "../../ui";
import type { JobInfo, OfferInfo } from "../../wire/messages";
import { findCorner } from "./corner";
import { watchRecovery } from "./recovery";
import "./toasts.css";

/** Short messages at the corner of the stage. They are in the browser's top layer, so that no dialog hides them. */
export function Toasts() {
  useEffect(watchRecovery, []);
  const node = useRef<HTMLDivElement>(null);
  const shown = toasts.value;
  // The export dialog shows jobs itself.
  const jobs = dialog.value === "export" ? [] : (status.value?.jobs.filter((job) => job.state === "running") ?? []);
  const count = shown.length + jobs.length;
  useLayoutEffect(() => {
    const layer = node.current;
    if (!layer || typeof layer.showPopover !== "function") return undefined;
    // What is shown last lies on top: again for every dialog that opens.
    if (layer.matches(":popover-open")) layer.hidePopover();
    if (count === 0) return undefined;
    layer.showPopover();
    const stage = document.querySelector(".stage");
    const settle = () => {
      const { right, bottom, width } = findCorner(stage?.getBoundingClientRect());
      layer.style.width = `${width}px`;
      layer.style.right = `${right}px`;
      layer.style.bottom = `${bottom}px`;
    };
    settle();
    // Timelines and panels open beside it meanwhile.
    const watch = new ResizeObserver(settle);
    if (stage) watch.observe(stage);
    return () => watch.disconnect();
  }, [count, dialog.value]);
  return (
    <div ref={node} class="toasts" popover="manual">
      {jobs.map((job) => (
        <Job key={job.id} job={job} />
      ))}
      {shown.map((toast) => (
        <div key={toast.id} class={`toast ${toast.level}`} role={toast.level === "error" ? "alert" : "status"} data-testid="toast">
          <span class="mark" aria-hidden="true" />
          <p>{capitalize(toast.text)}</p>
          {toast.offer && <Offer toast={toast.id} offer={toast.offer} />}
          <button type="button" aria-label="Dismiss this message" title="Dismiss" onClick={() => dismissToast(toast.id)}>
            <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
              <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
            </svg>
          </button>
        </div>
      ))}
    </div>
  );
}

/** What can be done about it, by a button. */
function Offer({ toast, offer: { label, command, arguments: args } }: { toast: number; offer: OfferInfo }) {
  return (
    <Button
      class="toast-offer"
      testid="toast-offer"
      onClick={() => {
        dismissToast(toast);
        void act(command, args);
      }}
    >
      {label}
    </Button>
  );
}

/** Something long that goes on beside everything else. */
function Job({ job }: { job: JobInfo }) {
  return (
    <div class="toast toast-job" role="status" data-testid={`job-${job.id}`}>
      <p>
        <strong>{job.title}</strong> {job.text}
      </p>
      <Button kind="quiet" label={`Cancel ${job.title}`} onClick={() => void act("cancel_job", { job: job.id })}>
        Cancel
      </Button>
      <Progress done={job.done > 0 ? job.done : null} label={job.title} />
    </div>
  );
}
