/** The input of a tool: a text that was typed, or a file, which the worker reads. */
export type Source = string | Blob;

/** How far a job is, in bytes. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Work for the worker: a function of the posted value. */
export type Job<Input, Output> = (input: Input, onProgress: (progress: Progress) => void) => Output | Promise<Output>;

/** An error as it crosses from the worker, if its class would be lost. */
export interface JobError {
  readonly message: string;
  /** The code of the package that threw. */
  readonly code?: string;
}
