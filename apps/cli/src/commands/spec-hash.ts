import { fingerprintSpec, type SpecCoverage } from "@agentprint/drover";
import { type Command, Option } from "commander";
import { formatJson } from "../json/format-json.ts";
import { coverageOption, naming, readSpec } from "../spec/read-spec.ts";
import { addExamples } from "../terminal/examples.ts";

interface SpecHashCommandOptions {
  readonly coverage: SpecCoverage;
  readonly format: "text" | "json";
}

export function registerSpecHash(spec: Command): void {
  const command = spec
    .command("hash")
    .description("Print the 32-bit hash of a spec; as JSON, its strong fingerprint too")
    .argument("[file]", "a spec as JSON, or - for standard input", "-")
    .addOption(coverageOption())
    .addOption(new Option("--format <format>", "how to print it").choices(["text", "json"]).default("text"))
    .action(async (file: string, { coverage, format }: SpecHashCommandOptions) => {
      const value = await readSpec(file);
      const fingerprint = naming(file, () => fingerprintSpec(value, { coverage }));
      process.stdout.write(format === "json" ? formatJson(fingerprint) : `${fingerprint.spec32}\n`);
    });
  addExamples(command, [
    ["agentprint spec hash writer.json", "what a run records at its start"],
    ["agentprint spec hash writer.json --format json > writer.fingerprint.json", "SHA-256 of the whole and each field"],
    ["agentprint spec hash writer.json --coverage codeV5", "as another version recorded it"],
  ]);
}
