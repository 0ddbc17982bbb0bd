import { compareTexts, type TextComparison } from "@agentprint/content-hash";
import {
  COMPARISON_RULES,
  comparisonFindings,
  differenceInWords,
  type ScaleLevel,
} from "@agentprint/content-hash/rules";
import type { ExitCode, Finding, Report } from "@agentprint/findings";
import { type Command, Option } from "commander";
import { readInput, STDIN_NAME } from "../files/read-input.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { positiveInteger } from "../terminal/option-parsers.ts";

interface TextCompareOptions extends ReportOptions {
  readonly config?: string;
  readonly level: ScaleLevel;
  readonly maxBytes: number;
  readonly strict?: boolean;
}

export const examples: Examples = [
  ["agentprint text compare old.ts new.ts", "exit 0 if only formatting changed"],
  ["agentprint text compare --level eol old.py new.py", "indentation counts, line endings do not"],
  ["agentprint text compare --strict old.sh new.sh", "exit 1 also if formatting may change the meaning"],
  ["git show HEAD:a.ts | agentprint text compare - a.ts", "the last commit against the working copy"],
];

export function define(command: Command): void {
  command
    .argument("<before>", "UTF-8 text, or - for standard input")
    .argument("<after>", "UTF-8 text, or - if <before> is a file")
    .addOption(
      new Option("--level <level>", "which differences to ignore")
        .choices(["bytes", "eol", "trailing", "whitespace"])
        .default("whitespace"),
    )
    .option("--strict", "exit with 1 if a difference in formatting may change the meaning")
    .addOption(
      new Option("--max-bytes <n>", "the maximum number of input bytes")
        .default(64 * 1024 * 1024)
        .argParser(positiveInteger),
    );
  addPolicyOption(command);
  addReportOptions(command);
}

export async function run(
  context: Context,
  before: string,
  after: string,
  options: TextCompareOptions,
): Promise<ExitCode> {
  const { level, maxBytes, strict = false } = options;
  if (before === "-" && after === "-") {
    throw new CliError("usage", "standard input can be only one of the two texts", {
      expected: "a file as one of the two",
      fix: "write one of the texts to a file",
    });
  }
  const policy = await readPolicy(context, options);
  const texts = [await readText(context, before, maxBytes), await readText(context, after, maxBytes)] as const;
  const comparison = compareTexts(...texts, { path: after === "-" ? before : after });
  const report = comparisonReport([before, after], comparison, { level, strict });
  return writeReport(context, reportByPolicy(context, report, policy), options, [after, before]);
}

async function readText(context: Context, file: string, maxBytes: number): Promise<string> {
  const bytes = await readInput(context, file, maxBytes, "--max-bytes");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CliError("unreadable-input", `${file === "-" ? STDIN_NAME : file} is not text`, {
      where: file,
      expected: "text in UTF-8",
      fix: "compare binary files by their digests: agentprint text hash --level bytes",
      cause: error,
    });
  }
}

interface ComparisonOptions {
  readonly level: ScaleLevel;
  /** Whether a difference in formatting that may change the meaning counts as a difference. */
  readonly strict: boolean;
}

/** Returns the report on whether two texts are equal at a level, and on the first level at which they are. */
function comparisonReport(
  [before, after]: readonly [string, string],
  comparison: TextComparison,
  { level, strict }: ComparisonOptions,
): Report {
  const { equalAt, formattingOnly, warnings } = comparison;
  const subject = `${before} ↔ ${after}`;
  const findings = comparisonFindings(comparison, level, subject).map(
    (finding): Finding =>
      strict && finding.rule === "text/meaningful-white-space" ? { ...finding, level: "error" } : finding,
  );
  const equal = !findings.some((finding) => finding.level === "error");
  return {
    command: "agentprint text compare",
    title: "agentprint text compare",
    summary: differenceInWords(comparison),
    findings,
    rules: COMPARISON_RULES,
    checked: [subject],
    data: { before, after, level, equal, equalAt, formattingOnly, warnings },
  };
}
