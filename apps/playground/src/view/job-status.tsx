import type { ComponentChildren, JSX } from "preact";
import type { JobName, JobOutput } from "../jobs/jobs.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "./badge.tsx";
import { Shown } from "./shown.tsx";
import type { UsedJob } from "./use-job.ts";

interface Properties<Name extends JobName> {
  readonly job: UsedJob<Name>;
  readonly children: (value: JobOutput<Name>) => ComponentChildren;
}

/** Shows a job's progress, its result, or why it failed. */
export function JobStatus<Name extends JobName>({ job, children }: Properties<Name>): JSX.Element {
  const texts = useTexts();
  const { state } = job;
  return (
    <>
      <div role="status" class="status">
        {state.is === "working" && <span>{texts.working}</span>}
        {state.is === "cancelled" && <span>{texts.cancelled}</span>}
        {state.is === "failed" && (
          <p class="note bad">
            <Badge tone="bad" />{" "}
            <span lang="en">
              <Shown text={state.error.message} />
            </span>{" "}
            {state.error.code !== undefined && <code>{state.error.code}</code>}
          </p>
        )}
      </div>
      {state.is === "working" && (
        <p class="row">
          <progress
            aria-label={texts.working}
            {...(state.progress && { value: state.progress.done, max: state.progress.total })}
          />
          <button type="button" onClick={job.cancel}>
            {texts.cancel}
          </button>
        </p>
      )}
      {state.is === "done" && (
        <section class="result" aria-live="polite">
          {children(state.value)}
        </section>
      )}
    </>
  );
}
