/** The input of a tool: a typed text, or a file, which the worker reads. */
export type Source = string | Blob;

/** How far a job is, in bytes. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Work for the worker: a function of the value posted to it. */
export type Job<Input, Output> = (input: Input, onProgress: (progress: Progress) => void) => Output | Promise<Output>;

/** An error in the form in which it leaves the worker, because its class would be lost. */
export interface JobError {
  readonly message: string;
  /** The code of the package that threw. */
  readonly code?: string;
}
