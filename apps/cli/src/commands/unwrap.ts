import type { ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import { recognizeAnyGuard } from "../clients/recognize-guard.ts";
import { addClientOptions } from "../clients/select-clients.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { planUnwrap } from "../wrap/plan-wrap.ts";
import { addWrapOptions, selectedServers, type WrapSelection, writePlan } from "../wrap/run-wrap.ts";

export const examples: Examples = [
  [
    "agentprint unwrap --mcp-config .mcp.json",
    "the file as it was before agentprint wrap, byte for byte, even if another machine wrapped it",
  ],
  ["agentprint unwrap --all", "the files of every client"],
];

export function define(command: Command): void {
  addWrapOptions(addClientOptions(command));
}

export async function run(context: Context, options: WrapSelection): Promise<ExitCode> {
  const found = await selectedServers(context, options, { recognize: recognizeAnyGuard, includeOff: true });
  const plan = await planUnwrap(found.servers);
  return writePlan(context, plan, found, { dryRun: options.dryRun, words: "no longer guarded" });
}
