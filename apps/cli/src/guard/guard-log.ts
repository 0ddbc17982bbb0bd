import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { readEvents, type TrailEntry } from "@agentprint/recorder";
import { parseThoughtLines, type RecordSource } from "@agentprint/trail/chain";
import { Timeline } from "@agentprint/trail-page";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing, reasonOf } from "../run/errors.ts";
import { openKeyFolder } from "../trail/key-folder.ts";
import { isStoreUrl, readChunks, withStore } from "../trail/source.ts";
import { openTask } from "../trail/stored-task.ts";
import { printRows } from "../trail-show/print-rows.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import { recordKey, storeOf } from "./record.ts";
import { readRefusals, rowOfRefusal } from "./refusal-log.ts";

/**
 * Prints the guards' records, session by session, and, if no record is named, the refusals of guards that recorded
 * nothing.
 *
 * @returns 1 if records are missing, or are not what the guard wrote
 */
export async function printLog(context: Context, options: GuardCommandOptions): Promise<ExitCode> {
  const store = storeOf(context, options.record ?? true);
  const keys = [await recordKey(context, options)];
  const contentKeys = options.contentKeys === undefined ? undefined : await openKeyFolder(context, options.contentKeys);
  let isWhole = true;
  const refusals = options.record === undefined ? await readRefusals(context) : [];
  const print = async (records: RecordSource, isCut: boolean, written?: () => void): Promise<void> => {
    const timeline = new Timeline();
    const reading = { keys, ...(contentKeys && { contentKeys }), isDropped: () => isCut };
    for await (const entry of readEvents(records, reading)) {
      if (options.format === "json") written?.();
      isWhole &&= isComplete(entry);
      if (options.format === "json") context.stdout.write(formatJson(entry));
      else timeline.add(entry);
    }
    written?.();
    await printRows(context, timeline.rows);
  };
  if (isStoreUrl(store)) {
    await withStore(context, store, "read", async (trail, written) => {
      isWhole = true;
      for await (const { taskId } of trail.tasks()) {
        const { dropped, read } = await openTask(trail, taskId);
        await print(read(), dropped > 0, written);
      }
    });
  } else {
    for (const name of await chainsIn(store, refusals.length > 0))
      await print(parseThoughtLines(readChunks(context, join(store, name))), false);
  }
  if (options.format === "json")
    for (const refusal of refusals) context.stdout.write(formatJson({ is: "refusal", ...refusal }));
  else await printRows(context, refusals.map(rowOfRefusal));
  return isWhole ? EXIT.same : EXIT.drift;
}

/** Returns whether an entry is no sign that events are missing. */
function isComplete(entry: TrailEntry): boolean {
  if (entry.is !== "event") return entry.is === "text" || entry.is === "not-ended";
  return entry.event.kind !== "gap" || entry.event.of !== undefined;
}

/** @param isOptional Whether there may be no record */
async function chainsIn(folder: string, isOptional: boolean): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  } catch (error) {
    if (isOptional && isMissing(error)) return [];
    throw new CliError("unreadable-input", `there is no record in ${folder}: ${reasonOf(error)}`, {
      expected: "a folder or store that agentprint guard --record wrote",
      cause: error,
    });
  }
}
