import type { ComponentChildren, JSX } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { JobOutput } from "../jobs/jobs.ts";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { StartsContext, StoryContext } from "../view/tool-form.tsx";
import type { UsedJob } from "../view/use-job.ts";

/** The names of the jobs that verify a proof. */
type ProofJob = "consistency" | "givenProof";

interface Properties<Name extends ProofJob> {
  readonly title: string;
  readonly help: string;
  /** A change to the example, and its effect. */
  readonly tryThis: string;
  /** The button's text. */
  readonly run: string;
  readonly isOpen: boolean;
  readonly job: UsedJob<Name>;
  readonly onRun: () => void;
  /** Returns the sentence that says what a valid proof shows. */
  readonly says: (result: JobOutput<Name>) => string;
  readonly children: ComponentChildren;
}

/**
 * Shows the fields of a given proof, and whether it holds. If the fields are filled when the tool opens, the proof is
 * verified immediately.
 */
export function GivenPanel<Name extends ProofJob>(properties: Properties<Name>): JSX.Element {
  const { trail: texts, story } = useTexts();
  const { title, help, tryThis, run, isOpen, job, onRun, says, children } = properties;
  const [starts, isStory] = [useContext(StartsContext), useContext(StoryContext)];
  useEffect(() => {
    if (starts && isOpen) onRun();
  }, []);
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <p class="dim">{help}</p>
      {isStory && (
        <p>
          <strong>{story.change}</strong> {tryThis}
        </p>
      )}
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
