import { checkArgument } from "../check-argument.ts";
import { TrailStoreError } from "../errors.ts";

/** The maximum number of times that a read is restarted. */
const MAX_AGAIN = 5;

/**
 * Calls `read` and returns its result; calls it again, at most five times, if records that it had not yet reached were
 * dropped. Use nothing that `read` returns before it ends, unless `hasWritten` then returns `true`, after which `read`
 * is not called again.
 *
 * @param hasWritten Returns whether any output has been passed on that cannot be taken back; by default `false`
 * @throws {@link TrailStoreError} `overtaken`, and the errors that `read` throws.
 *
 * @example
 * ```ts
 * import { openTrailStore, readAgain } from "@agentprint/trail-store";
 *
 * const store = await openTrailStore("file:again.db");
 * const lines = await readAgain(async () => {
 *   const lines: string[] = [];
 *   for await (const line of store.export("task-7")) lines.push(line);
 *   return lines;
 * });
 * console.log(lines.length); // 0
 * await store.close();
 * ```
 */
export async function readAgain<T>(read: () => Promise<T>, hasWritten: () => boolean = () => false): Promise<T> {
  checkArgument("read", read, "function");
  checkArgument("hasWritten", hasWritten, "function");
  for (let again = 0; ; again++) {
    try {
      return await read();
    } catch (error) {
      if (!isOvertaken(error) || again === MAX_AGAIN || hasWritten()) throw error;
    }
  }
}

/** Returns the error for a task's records from `next` on that were dropped before they were read. */
export function overtaken(taskId: string, next: number, first: number): TrailStoreError {
  const message = `records ${next} to ${first - 1} of task ${JSON.stringify(taskId)} were dropped while they were read`;
  return new TrailStoreError("overtaken", message);
}

function isOvertaken(error: unknown): boolean {
  return error instanceof TrailStoreError && error.code === "overtaken";
}
