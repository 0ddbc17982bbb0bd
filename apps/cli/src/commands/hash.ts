import { sha256Hex } from "@agentprint/canonical-json";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { addJsonOptions, canonicalizeInput, type JsonOptions } from "../json/json-options.ts";
import type { Examples } from "../terminal/examples.ts";

interface HashOptions extends JsonOptions {
  readonly format: "text" | "json";
}

export const examples: Examples = [
  ["agentprint hash manifest.json", "RFC 8785 and code-unit order, the default everywhere"],
  ["agentprint hash --profile ecmascript record.json", "as trail records and tool fingerprints are hashed"],
  ["agentprint hash --format json - < manifest.json", "for scripts"],
];

export function define(command: Command): void {
  command
    .argument("[file]", "JSON text in UTF-8, or - for standard input", "-")
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
  addJsonOptions(command);
}

export async function run(context: Context, file: string, options: HashOptions): Promise<ExitCode> {
  const sha256 = sha256Hex(await canonicalizeInput(context, file, options));
  const { format, profile, keyOrder } = options;
  context.stdout.write(`${format === "json" ? JSON.stringify({ sha256, profile, keyOrder }) : sha256}\n`);
  return EXIT.same;
}
