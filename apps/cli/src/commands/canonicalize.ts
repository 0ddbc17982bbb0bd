import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import { addJsonOptions, addMaxBytes, canonicalizeInput, type JsonOptions } from "../files/json-options.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint canonicalize manifest.json", "keys sorted, numbers and strings in RFC 8785 form"],
  ["agentprint canonicalize manifest.json | sha256sum", "the same digest as agentprint hash"],
  ["curl -s https://example.com/a.json | agentprint canonicalize -", "from standard input"],
];

export function define(command: Command): void {
  command.argument("[file]", "JSON text in UTF-8, or - for standard input", "-");
  addMaxBytes(addJsonOptions(command));
}

export async function run(context: Context, file: string, options: JsonOptions): Promise<ExitCode> {
  const text = await canonicalizeInput(context, file, options);
  // A newline would change the bytes that a following sha256sum sees; a person at a terminal wants one.
  context.stdout.write(context.stdout.isTTY ? `${text}\n` : text);
  return EXIT.same;
}
