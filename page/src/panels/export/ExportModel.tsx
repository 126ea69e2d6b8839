import { useSignal } from "@preact/signals";
import { requestedJobs } from "./model";
import { act, attempt, status } from "../../store";
import { motionWriters } from "../../store/formats";
import { Button, Icon, Progress } from "../../ui";
import type { JobInfo } from "../../wire/messages";
import type { Range } from "./Export";
import { Trouble } from "../controls/Trouble";

/** The skeleton and the deforming surface, as one file. */
export function ExportModel({ range }: { range: Range }) {
  const problem = useSignal("");
  const chosen = useSignal("");
  const writers = motionWriters();
  const writer = writers.find((known) => known.name === chosen.value) ?? writers[0];
  const suffix = writer?.suffixes[0] ?? "";
  const begin = async () => {
    problem.value = "";
    const outcome = await attempt<number>("export", { format: suffix.slice(1), lane: status.value?.lane ?? null, start: range.start, end: range.end });
    if (outcome.ok) requestedJobs.value = [...requestedJobs.value, outcome.result];
    else problem.value = outcome.error;
  };
  const jobs = status.value?.jobs ?? [];
  // Performances are jobs too, but nothing to take home.
  const exports = jobs.filter((job) => job.download || requestedJobs.value.includes(job.id));
  const running = jobs.some((job) => job.state === "running");
  return (
    <>
      {writers.length > 1 && (
        <label>
          <span>Format</span>
          <select data-testid="export-format" value={writer?.name} onChange={(event) => (chosen.value = event.currentTarget.value)}>
            {writers.map((known) => (
              <option key={known.name} value={known.name}>
                {known.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="note">
        {writer?.name} ({suffix}): {writer?.description}
      </p>
      <Trouble text={problem.value} />
      {exports.map((job) => (
        <Job key={job.id} job={job} />
      ))}
      <div class="export-go">
        <Button kind="primary" icon="export" blocked={running ? "One is being written; wait for it or cancel it." : ""} testid="export-go" onClick={() => void begin()}>
          Write {writer?.name}
        </Button>
      </div>
    </>
  );
}

const SAID: Record<JobInfo["state"], string> = { running: "", finished: "Ready", failed: "Failed", cancelled: "Cancelled" };

function Job({ job }: { job: JobInfo }) {
  return (
    <div class={`job ${job.state}`} data-testid={`job-${job.id}`} role="status">
      <div class="job-line">
        <span class="name">{job.title}</span>
        {job.state === "running" ? (
          <>
            <span class="when">{Math.round(100 * job.done)} %</span>
            <Button kind="quiet" label="Cancel this" testid="cancel-job" onClick={() => void act("cancel_job", { job: job.id })}>
              Cancel
            </Button>
          </>
        ) : job.state === "finished" && job.download ? (
          <a class="button plain" href={job.download} download="" data-testid="download-job">
            <Icon name="download" size={16} />
            {requestedJobs.value.includes(job.id) ? "Download again" : "Download"}
          </a>
        ) : (
          <span class="when">{SAID[job.state]}</span>
        )}
      </div>
      {job.state === "running" && <Progress done={job.done} label={job.title} />}
      {job.text && <p class="note">{job.text}</p>}
    </div>
  );
}
