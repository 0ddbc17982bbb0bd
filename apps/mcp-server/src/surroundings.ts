import type { Readable, Writable } from "node:stream";

/** What a program reads and writes; `process` is one. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}
