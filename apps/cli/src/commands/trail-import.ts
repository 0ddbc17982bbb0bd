import { count, EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { withStore } from "../trail/source.ts";
import { readTrailText } from "../trail/trail-text.ts";

export const examples: Examples = [
  ["agentprint trail import file:trail.db trail.jsonl", "adds the records that the store does not have yet"],
  [
    "agentprint trail export file:trail.db | agentprint trail import postgres://db.example/trails",
    "from one store into another",
  ],
];

export function define(command: Command): void {
  command
    .argument("<store>", "file:<path> or postgres://…; created if it does not exist")
    .argument("[file]", "JSON Lines text, or - for standard input", "-");
}

export async function run(context: Context, url: string, file: string): Promise<ExitCode> {
  const { added, known } = await withStore(context, url, "create", (store) =>
    store.import(readTrailText(context, file)),
  );
  context.stdout.write(`${count(added, "record")} added, ${known} already there\n`);
  return EXIT.same;
}
