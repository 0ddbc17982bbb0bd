import { fingerprintSpec, type SpecCoverage } from "@agentprint/drover";
import type { ExitCode, Report } from "@agentprint/findings";
import { type Command, InvalidArgumentError } from "commander";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { compareSpecs, coverageOption, naming, readSpec } from "../spec/read-spec.ts";
import { specDiffReport, specHashReport } from "../spec/spec-report.ts";
import type { Examples } from "../terminal/examples.ts";

const COMMAND = "agentprint spec check";

interface SpecCheckOptions extends ReportOptions {
  readonly config?: string;
  readonly coverage: SpecCoverage;
  readonly hash?: string;
  readonly fingerprint?: string;
}

export const examples: Examples = [
  ["agentprint spec check writer.json --hash 6d831a81", "whether a run with this hash may resume"],
  ["agentprint spec check writer.json --fingerprint writer.fingerprint.json", "the same, and which fields drifted"],
];

export function define(command: Command): void {
  command
    .argument("[file]", "a spec as JSON, or - for standard input", "-")
    .option("--hash <hex>", "the recorded 32-bit hash", recordedHash)
    .option("--fingerprint <file>", "the recorded fingerprint, which takes precedence over --hash")
    .addOption(coverageOption());
  addPolicyOption(command);
  addReportOptions(command);
}

export async function run(context: Context, file: string, options: SpecCheckOptions): Promise<ExitCode> {
  const policy = await readPolicy(context, options);
  const report = await check(context, file, options);
  return writeReport(context, reportByPolicy(context, report, policy), options, [file]);
}

async function check(
  context: Context,
  file: string,
  { coverage, hash, fingerprint }: SpecCheckOptions,
): Promise<Report> {
  if (hash === undefined && fingerprint === undefined) {
    throw new CliError("usage", "there is nothing to check against", {
      expected: "--hash or --fingerprint",
      fix: "record one with agentprint spec hash when the run starts, and give it here",
    });
  }
  if (fingerprint !== undefined) {
    return specDiffReport(COMMAND, file, await compareSpecs(context, fingerprint, file, coverage));
  }
  const current = await readSpec(context, file);
  const { spec32, warnings } = naming(file, () => fingerprintSpec(current, { coverage }));
  return specHashReport(COMMAND, file, { before: hash ?? "", after: spec32 }, warnings);
}

function recordedHash(text: string): string {
  if (/^[0-9a-f]{1,8}$/.test(text)) return text;
  throw new InvalidArgumentError("expected 1 to 8 lowercase hex digits.");
}
