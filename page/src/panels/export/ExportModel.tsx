import { useSignal } from "@preact/signals";
import { requestedJobs, modelName } from "./model";
import { act, attempt, status } from "../../store";
import { Button, Icon, Progress } from "../../ui";
import type { JobInfo } from "../../wire/messages";
import type { Range } from "./Export";
import { Trouble } from "../controls/Trouble";

/** The skeleton and the deforming surface, as one file. */
export function ExportModel({ range }: { range: Range }) {
  const problem = useSignal("");
  const begin = async () => {
    problem.value = "";
    const outcome = await attempt<number>("export", { format: "glb", lane: status.value?.lane ?? null, start: range.start, end: range.end });
    if (outcome.ok) requestedJobs.value = [...requestedJobs.value, outcome.result];
    else problem.value = outcome.error;
  };
  const jobs = status.value?.jobs ?? [];
  // Performances are jobs too, but nothing to take home.
  const exports = jobs.filter((job) => job.download || requestedJobs.value.includes(job.id));
  const running = jobs.some((job) => job.state === "running");
  return (
    <>
      <p class="note">
        A glTF file (.glb) with the skeleton, its motion and the deforming surface, exactly as recorded. Blender, Maya, Unity, Unreal and
        browsers read it.
      </p>
      <Trouble text={problem.value} />
      {exports.map((job) => (
        <Job key={job.id} job={job} />
      ))}
      <div class="export-go">
        <Button kind="primary" icon="export" blocked={running ? "One is being written; wait for it or cancel it." : ""} testid="export-go" onClick={() => void begin()}>
          Write GLB
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
          <a class="button plain" href={job.download} download={modelName()} data-testid="download-job">
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
