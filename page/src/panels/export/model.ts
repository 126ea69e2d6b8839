/** Models that this page asked for: each is handed over by itself, once, when it is written. */

import { effect, signal } from "@preact/signals";
import { status } from "../../store";
import { downloadFile } from "./download";

/** Numbers of the jobs, in the order in which they were begun. */
export const requestedJobs = signal<number[]>([]);
const handed = new Set<number>();

/** Also while no dialog is open: whoever closed it still waits for the file. */
effect(() => {
  for (const job of status.value?.jobs ?? []) {
    if (job.state !== "finished" || !job.download || handed.has(job.id) || !requestedJobs.value.includes(job.id)) continue;
    handed.add(job.id);
    downloadFile(job.download);
  }
});
