/** A tool's input: a typed text, or a file, which the worker reads. */
export type Source = string | Blob;

/** The progress of a job, in bytes. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Work for the worker, as a function of the value posted to it. */
export type Job<Input, Output> = (input: Input, onProgress: (progress: Progress) => void) => Output | Promise<Output>;

/** The form in which an error leaves the worker, because its class would be lost. */
export interface JobError {
  readonly message: string;
  /** The code from the package that threw the error. */
  readonly code?: string;
}
