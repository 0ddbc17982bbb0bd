import type { Readable, Writable } from "node:stream";

/** A program's environment and streams; `process` has this shape. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Ends the process immediately. */
  readonly exit: (code: number) => void;
}
