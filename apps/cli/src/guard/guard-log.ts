import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readEvents, type TrailEntry } from "@agentprint/recorder";
import { EXIT, type ExitCode, escapeText } from "@agentprint/report";
import { parseThoughtLines, type RecordSource } from "@agentprint/trail/chain";
import type { Context } from "../context.ts";
import { CliError, reasonOf } from "../errors.ts";
import { formatJson } from "../json/format-json.ts";
import { isStoreUrl, withStore } from "../trail/source.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import { recordKey, storeOf } from "./record.ts";

/**
 * Prints what guards recorded, session by session.
 *
 * @returns 1 where records are missing, or are not what the guard wrote
 */
export async function printLog(context: Context, options: GuardCommandOptions): Promise<ExitCode> {
  const store = storeOf(context, options.record ?? true);
  const keys = [await recordKey(context, options)];
  let isWhole = true;
  const print = async (records: RecordSource): Promise<void> => {
    for await (const entry of readEvents(records, { keys })) {
      isWhole &&= entry.is === "event" || entry.is === "text" || entry.is === "not-ended";
      printEntry(context, entry, options.format);
    }
  };
  if (isStoreUrl(store)) {
    await withStore(context, store, "read", async (trail) => {
      for await (const { taskId } of trail.tasks()) await print(trail.read(taskId));
    });
  } else {
    for (const name of await chainsIn(store)) await print(parseThoughtLines(createReadStream(join(store, name))));
  }
  return isWhole ? EXIT.same : EXIT.drift;
}

async function chainsIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  } catch (error) {
    throw new CliError("unreadable-input", `there is no record in ${folder}: ${reasonOf(error)}`, {
      expected: "a folder or store that agentprint guard --record wrote",
      cause: error,
    });
  }
}

function printEntry(context: Context, entry: TrailEntry, format: "text" | "json"): void {
  const { stdout } = context;
  if (format === "json") {
    stdout.write(formatJson(entry));
    return;
  }
  const { bold, dim, red, yellow } = context.colorsOf(stdout);
  switch (entry.is) {
    case "event": {
      const { kind, server = "", tool, method = "", decision = "", findings = [], reason, outcome = "" } = entry.event;
      const paint = kind === "refused" || outcome === "refused" ? red : (text: string) => text;
      const what = [server, tool ?? method].filter((part) => part !== "").join(" › ");
      const why = [outcome, decision, ...findings, ...(reason === undefined ? [] : [`(${reason})`])].join(" ").trim();
      stdout.write(`${dim(entry.record.timestamp)} ${paint(kind)} ${bold(escapeText(what))} ${escapeText(why)}\n`);
      return;
    }
    case "text":
    case "unknown-event":
      stdout.write(
        `${dim(entry.record.timestamp)} ${yellow("not of the guard")} ${escapeText(entry.record.content.slice(0, 200))}\n`,
      );
      return;
    case "missing":
      stdout.write(`${red("missing")} ${entry.count} events of session ${escapeText(entry.session)}\n`);
      return;
    case "not-ended":
      stdout.write(`${yellow("not ended")} session ${escapeText(entry.session)}\n`);
      return;
    case "unreadable":
      stdout.write(`${red("unreadable")} a line that is no record\n`);
  }
}
