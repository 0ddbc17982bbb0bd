import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { describeError } from "../engine/describe-error.ts";
import { Engine } from "../engine/engine.ts";
import type { JobError, Progress } from "../jobs/job.ts";
import type { JobInput, JobName, JobOutput } from "../jobs/jobs.ts";

/** The state of a job: idle, its progress, or its result. */
type JobState<Name extends JobName> =
  | { readonly is: "idle" }
  | { readonly is: "cancelled" }
  | { readonly is: "working"; readonly progress?: Progress }
  | { readonly is: "done"; readonly value: JobOutput<Name> }
  | { readonly is: "failed"; readonly error: JobError };

/** A tool's job, with the worker that does it. */
export interface UsedJob<Name extends JobName> {
  readonly state: JobState<Name>;
  readonly engine: RefObject<Engine>;
  /** Starts the job as soon as its input is available. */
  run(input: JobInput<Name> | Promise<JobInput<Name>>): void;
  cancel(): void;
}

/** Runs a job in a worker that ends when the tool is left. */
export function useJob<Name extends JobName>(name: Name): UsedJob<Name> {
  const [state, setState] = useState<JobState<Name>>({ is: "idle" });
  const engine = useRef(new Engine());
  const runs = useRef(0);
  useEffect(() => () => engine.current.stop(), []);
  return {
    state,
    engine,
    run(input) {
      engine.current.interrupt();
      setState({ is: "working" });
      const run = ++runs.current;
      const setNow = (now: JobState<Name>): void => {
        if (run === runs.current) setState(now);
      };
      Promise.resolve(input)
        .then((ready) => engine.current.ask(name, ready, (progress) => setNow({ is: "working", progress })))
        .then(
          (value) => setNow({ is: "done", value }),
          (error: unknown) => setNow({ is: "failed", error: describeError(error) }),
        );
    },
    cancel() {
      runs.current++;
      engine.current.stop();
      setState({ is: "cancelled" });
    },
  };
}
