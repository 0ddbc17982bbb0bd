import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Engine, type EngineError } from "../engine/engine.ts";
import type { JobError, Progress } from "../engine/job.ts";
import type { JobInput, JobName, JobOutput } from "../engine/jobs.ts";

/** What is known of a job: nothing yet, how far it is, or how it ended. */
export type JobState<Name extends JobName> =
  | { readonly is: "idle" }
  | { readonly is: "cancelled" }
  | { readonly is: "working"; readonly progress?: Progress }
  | { readonly is: "done"; readonly value: JobOutput<Name> }
  | { readonly is: "failed"; readonly error: JobError };

/** A job of a tool, with the worker that does it. */
export interface UsedJob<Name extends JobName> {
  readonly state: JobState<Name>;
  readonly engine: RefObject<Engine>;
  run(input: JobInput<Name>): void;
  cancel(): void;
}

/** Does a job in a worker, which ends when the tool is left. */
export function useJob<Name extends JobName>(name: Name): UsedJob<Name> {
  const [state, setState] = useState<JobState<Name>>({ is: "idle" });
  const engine = useRef(new Engine());
  useEffect(() => () => engine.current.stop(), []);
  return {
    state,
    engine,
    run(input) {
      setState({ is: "working" });
      engine.current
        .ask(name, input, (progress) => setState({ is: "working", progress }))
        .then(
          (value) => setState({ is: "done", value }),
          (error: EngineError) => {
            if (error.code !== "cancelled") setState({ is: "failed", error });
          },
        );
    },
    cancel() {
      engine.current.stop();
      setState({ is: "cancelled" });
    },
  };
}
