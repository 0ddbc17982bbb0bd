import type { JobError, Progress } from "./job.ts";
import type { Answer, JobInput, JobName, JobOutput } from "./jobs.ts";
import { trustedUrl } from "./trusted-urls.ts";
import workerUrl from "./worker.ts?worker&url";

/** The error of a job: what a package refused, or that the job was ended. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: string;

  constructor({ message, code = "failed" }: JobError) {
    super(message);
    this.code = code;
  }
}

/** A worker that does one job after the other, and remembers what its jobs opened. */
export class Engine {
  #worker: Worker | undefined;
  #end: ((error: EngineError) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Does a job, once those before it have ended.
   *
   * @throws {EngineError} with the code of the package that refused the input; `cancelled` when the job was ended;
   *   `worker-failed` when the worker itself could not be loaded, or had no memory left
   */
  ask<Name extends JobName>(
    job: Name,
    input: JobInput<Name>,
    onProgress: (progress: Progress) => void = () => {},
  ): Promise<JobOutput<Name>> {
    const answer = this.#last.then(() => this.#ask(job, input, onProgress));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Ends the worker and the job that is under way. */
  stop(): void {
    this.#forget();
    this.#end?.(new EngineError({ code: "cancelled", message: "cancelled" }));
  }

  #ask<Name extends JobName>(
    job: Name,
    input: JobInput<Name>,
    onProgress: (progress: Progress) => void,
  ): Promise<JobOutput<Name>> {
    this.#worker ??= new Worker(trustedUrl(workerUrl), { type: "module" });
    const worker = this.#worker;
    return new Promise<JobOutput<Name>>((resolve, reject) => {
      this.#end = reject;
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if ("progress" in data) onProgress(data.progress);
        else if ("value" in data) resolve(data.value as JobOutput<Name>);
        else reject(new EngineError(data.error));
      };
      worker.onerror = ({ message }) => {
        this.#forget();
        reject(new EngineError({ code: "worker-failed", message: message || "the worker could not be started" }));
      };
      worker.postMessage({ job, input });
    });
  }

  #forget(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
