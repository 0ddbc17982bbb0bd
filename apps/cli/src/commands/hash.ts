import { sha256Hex } from "@agentprint/canonical-json";
import { type Command, Option } from "commander";
import { addJsonOptions, canonicalizeInput, type JsonOptions } from "../json/json-options.ts";
import { addExamples } from "../terminal/examples.ts";

export function registerHash(program: Command): void {
  const command = program
    .command("hash")
    .description("Print the SHA-256 of the canonical JSON of a file, 64 lowercase hex digits")
    .argument("[file]", "JSON text in UTF-8, or - for standard input", "-")
    .addOption(new Option("--format <format>", "how to print it").choices(["text", "json"]).default("text"))
    .action(async (file: string, options: JsonOptions & { format: "text" | "json" }) => {
      const sha256 = sha256Hex(await canonicalizeInput(file, options));
      const { profile, keyOrder } = options;
      process.stdout.write(`${options.format === "json" ? JSON.stringify({ sha256, profile, keyOrder }) : sha256}\n`);
    });
  addJsonOptions(command);
  addExamples(command, [
    ["agentprint hash manifest.json", "RFC 8785 and code-unit order, the default everywhere"],
    ["agentprint hash --profile ecmascript record.json", "as trail records and tool fingerprints are hashed"],
    ["agentprint hash --format json - < manifest.json", "for scripts"],
  ]);
}
