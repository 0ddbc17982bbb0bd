import type { Command } from "commander";
import { addJsonOptions, canonicalizeInput, type JsonOptions } from "../json/json-options.ts";
import { addExamples } from "../terminal/examples.ts";

export function registerCanonicalize(program: Command): void {
  const command = program
    .command("canonicalize")
    .description("Print the canonical JSON text of a file, byte for byte what is hashed")
    .argument("[file]", "JSON text in UTF-8, or - for standard input", "-")
    .action(async (file: string, options: JsonOptions) => {
      const text = await canonicalizeInput(file, options);
      // A newline would change the bytes that a following sha256sum sees; a person at a terminal wants one.
      process.stdout.write(process.stdout.isTTY ? `${text}\n` : text);
    });
  addJsonOptions(command);
  addExamples(command, [
    ["agentprint canonicalize manifest.json", "keys sorted, numbers and strings in RFC 8785 form"],
    ["agentprint canonicalize manifest.json | sha256sum", "the same digest as agentprint hash"],
    ["curl -s https://example.com/a.json | agentprint canonicalize -", "from standard input"],
  ]);
}
