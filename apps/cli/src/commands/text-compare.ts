import { compareTexts } from "@agentprint/content-hash";
import { exitCode } from "@agentprint/report";
import { type Command, Option } from "commander";
import { CliError } from "../errors.ts";
import { readInput, STDIN_NAME } from "../json/read-input.ts";
import { positiveInteger } from "../options.ts";
import { comparisonReport, type ScaleLevel } from "../report/text-comparison-report.ts";
import { addExamples } from "../terminal/examples.ts";
import { addReportOptions, type ReportOptions, writeReport } from "../terminal/write-report.ts";

interface TextCompareOptions extends ReportOptions {
  readonly level: ScaleLevel;
  readonly maxBytes: number;
}

export function registerTextCompare(text: Command): void {
  const command = text
    .command("compare")
    .description("Say whether two texts differ in more than formatting; exit 1 if they do")
    .argument("<before>", "UTF-8 text, or - for standard input")
    .argument("<after>", "UTF-8 text, or - if <before> is a file")
    .addOption(
      new Option("--level <level>", "what may differ")
        .choices(["bytes", "eol", "trailing", "whitespace"])
        .default("whitespace"),
    )
    .addOption(
      new Option("--max-bytes <n>", "longest input accepted").default(64 * 1024 * 1024).argParser(positiveInteger),
    )
    .action(async (before: string, after: string, options: TextCompareOptions) => {
      if (before === "-" && after === "-") {
        throw new CliError("usage", "standard input is only one text", {
          expected: "a file as one of the two",
          fix: "write one of the texts to a file",
        });
      }
      const [old, current] = [await readText(before, options.maxBytes), await readText(after, options.maxBytes)];
      const comparison = compareTexts(old, current, { path: after === "-" ? before : after });
      const report = comparisonReport([before, after], comparison, options.level);
      await writeReport(report, options);
      process.exitCode = exitCode(report);
    });
  addReportOptions(command);
  addExamples(command, [
    ["agentprint text compare old.ts new.ts", "exit 0 if only formatting changed"],
    ["agentprint text compare --level eol old.py new.py", "indentation counts, line ends do not"],
    ["git show HEAD:a.ts | agentprint text compare - a.ts", "the last commit against the working copy"],
  ]);
}

async function readText(file: string, maxBytes: number): Promise<string> {
  const bytes = await readInput(file, maxBytes, "--max-bytes");
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
