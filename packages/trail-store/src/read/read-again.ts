import { checkArgument } from "../check-argument.ts";
import { TrailStoreError } from "../errors.ts";

/** How often a read is restarted. */
const MAX_AGAIN = 5;

/**
 * Returns the result of `read`, which is called again, at most five times, if records that it had not reached were
 * dropped meanwhile. Use nothing that it reads before it ends, unless `hasWritten` then returns `true`: it is not
 * called again after that.
 *
 * @param hasWritten Whether something that was read has been passed on and cannot be taken back; never by default
 * @throws {@link TrailStoreError} `overtaken`, and the errors of `read`.
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

/** Returns the error for records of a task from `next` on that were dropped before they were read. */
export function overtaken(taskId: string, next: number, first: number): TrailStoreError {
  const message = `records ${next} to ${first - 1} of task ${JSON.stringify(taskId)} were dropped while they were read`;
  return new TrailStoreError("overtaken", message);
}

function isOvertaken(error: unknown): boolean {
  return error instanceof TrailStoreError && error.code === "overtaken";
}
