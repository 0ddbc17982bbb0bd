import type { ComponentChildren, JSX } from "preact";
import type { JobOutput } from "../engine/jobs.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { JobStatus } from "../view/job-status.tsx";
import type { UsedJob } from "../view/use-job.ts";

/** The jobs that verify a proof. */
type ProofJob = "consistency" | "givenProof";

interface Properties<Name extends ProofJob> {
  readonly title: string;
  readonly help: string;
  /** The text of the button. */
  readonly run: string;
  readonly isOpen: boolean;
  readonly job: UsedJob<Name>;
  readonly onRun: () => void;
  /** The statement that a valid proof shows. */
  readonly says: (result: JobOutput<Name>) => string;
  readonly children: ComponentChildren;
}

/** The fields of a proof that somebody gave, and whether it holds. */
export function GivenPanel<Name extends ProofJob>(properties: Properties<Name>): JSX.Element {
  const texts = useTexts().trail;
  const { title, help, run, isOpen, job, onRun, says, children } = properties;
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <p class="dim">{help}</p>
      {children}
      <p>
        <button type="button" onClick={onRun}>
          {run}
        </button>
      </p>
      <JobStatus job={job}>
        {(result) => (
          <p>
            <Badge tone={!result.holds ? "bad" : result.isSigned ? "good" : "odd"} />{" "}
            {result.holds ? says(result) : texts.notProven} {result.isSigned ? texts.signed : texts.unsigned}
          </p>
        )}
      </JobStatus>
    </details>
  );
}
