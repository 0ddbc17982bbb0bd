import { fingerprintSpec, type SpecCoverage } from "@agentprint/drover";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { type Command, Option } from "commander";
import { formatJson } from "../files/format-json.ts";
import type { Context } from "../run/context.ts";
import { coverageOption, naming, readSpec } from "../spec/read-spec.ts";
import type { Examples } from "../terminal/examples.ts";

interface SpecHashOptions {
  readonly coverage: SpecCoverage;
  readonly format: "text" | "json";
}

export const examples: Examples = [
  ["agentprint spec hash writer.json", "what a run records at its start"],
  ["agentprint spec hash writer.json --format json > writer.fingerprint.json", "SHA-256 of the entire spec and each field"],
  ["agentprint spec hash writer.json --coverage codeV5", "as another version hashed the spec"],
];

export function define(command: Command): void {
  command
    .argument("[file]", "a spec as JSON, or - for standard input", "-")
    .addOption(coverageOption())
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
}

export async function run(context: Context, file: string, { coverage, format }: SpecHashOptions): Promise<ExitCode> {
  const value = await readSpec(context, file);
  const fingerprint = naming(file, () => fingerprintSpec(value, { coverage }));
  context.stdout.write(format === "json" ? formatJson(fingerprint) : `${fingerprint.spec32}\n`);
  return EXIT.same;
}
