import type { JobError, Progress } from "../jobs/job.ts";
import type { Answer, JobInput, JobName, JobOutput } from "../jobs/jobs.ts";
import { trustedUrl } from "./trusted-urls.ts";
import workerUrl from "./worker.ts?worker&url";

/** Why a job failed: a package refused the input, or the job was ended. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: string;

  constructor({ message, code = "failed" }: JobError) {
    super(message);
    this.code = code;
  }
}

const CANCELLED = new EngineError({ code: "cancelled", message: "cancelled" });

/** A worker that runs one job after the other, and remembers what its jobs opened. */
export class Engine {
  #worker: Worker | undefined;
  #end: ((error: EngineError) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #stops = 0;

  /**
   * Runs a job once all earlier ones have ended.
   *
   * @throws {EngineError} with the package's code when a package refused the input; `cancelled` when the job was ended;
   * `worker-failed` when the worker could not be loaded, or ran out of memory
   */
  ask<Name extends JobName>(
    job: Name,
    input: JobInput<Name>,
    onProgress: (progress: Progress) => void = () => {},
  ): Promise<JobOutput<Name>> {
    const stops = this.#stops;
    const answer = this.#last.then(() => {
      if (stops !== this.#stops) throw CANCELLED;
      return this.#ask(job, input, onProgress);
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Ends the current jobs. An idle worker is kept, because its code is already loaded. */
  interrupt(): void {
    if (this.#end !== undefined) this.stop();
  }

  /** Ends the worker, the current job and all waiting jobs. */
  stop(): void {
    this.#stops++;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#end?.(CANCELLED);
  }

  #ask<Name extends JobName>(
    job: Name,
    input: JobInput<Name>,
    onProgress: (progress: Progress) => void,
  ): Promise<JobOutput<Name>> {
    this.#worker ??= new Worker(trustedUrl(workerUrl), { type: "module" });
    const worker = this.#worker;
    const answer = new Promise<JobOutput<Name>>((resolve, reject) => {
      this.#end = reject;
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if ("progress" in data) onProgress(data.progress);
        else if ("value" in data) resolve(data.value as JobOutput<Name>);
        else reject(new EngineError(data.error));
      };
      worker.onerror = ({ message }) => {
        reject(new EngineError({ code: "worker-failed", message: message || "the worker could not be started" }));
        this.stop();
      };
      worker.postMessage({ job, input });
    });
    return answer.finally(() => {
      this.#end = undefined;
    });
  }
}
