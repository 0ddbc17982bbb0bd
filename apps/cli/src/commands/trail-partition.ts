import { count, EXIT, type ExitCode } from "@agentprint/findings";
import { type Command, Option } from "commander";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { withStore } from "../trail/source.ts";

export const examples: Examples = [
  ["agentprint trail partition postgres://db/trail", "the records stored so far become the first partition"],
];

export function define(command: Command): void {
  command
    .argument("<store>", "postgres://…, as the role that owns its tables")
    .addOption(new Option("--format <format>", "format of the report").choices(["text", "json"]).default("text"))
    .addHelpText("after", "\nReaders and writers wait until it is done. If it is stopped before, nothing has changed.");
}

export async function run(
  context: Context,
  url: string,
  { format }: { readonly format: "json" | "text" },
): Promise<ExitCode> {
  const partition = await withStore(context, url, "write", (store) => store.partition());
  if (format === "json") context.stdout.write(formatJson({ partition: partition ?? null }));
  else if (partition === undefined) context.stdout.write("the tables are partitioned already\n");
  else {
    const { name, records, to } = partition;
    context.stdout.write(`${name}: ${count(records, "record")}, which count as stored before ${to}\n`);
  }
  return EXIT.same;
}
