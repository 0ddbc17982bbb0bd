import type { NormalizationLevel } from "@agentprint/content-hash";
import { computeFileHash, createFileHasher } from "@agentprint/content-hash/node";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { formatJson } from "../files/format-json.ts";
import { readStdin, STDIN_NAME } from "../files/read-input.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { printError } from "../terminal/report-error.ts";
import { levelOption } from "../text/level-option.ts";

interface TextHashOptions {
  readonly level: NormalizationLevel;
  readonly format: "text" | "json";
}

export const examples: Examples = [
  ["agentprint text hash src/main.ts", "the same digest for any indentation and line endings"],
  ["agentprint text hash --level eol *.py", "only differences in line endings are ignored"],
  ["git show HEAD:a.ts | agentprint text hash -", "from standard input"],
];

export function define(command: Command): void {
  command
    .argument("[files...]", "UTF-8 text, or - for standard input", ["-"])
    .addOption(levelOption().default("whitespace"))
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
}

export async function run(
  context: Context,
  files: readonly string[],
  { level, format }: TextHashOptions,
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.same;
  for (const file of files) {
    try {
      const sha256 =
        file === "-" ? await hashStdin(context, level) : await computeFileHash(context.pathOf(file), { level });
      const line = `${sha256}  ${escapeText(file)}\n`;
      context.stdout.write(format === "json" ? formatJson({ file, level, sha256 }) : line);
    } catch (error) {
      printError(context, error);
      exitCode = EXIT.unknown;
    }
  }
  return exitCode;
}

async function hashStdin(context: Context, level: NormalizationLevel): Promise<string> {
  const hasher = createFileHasher(STDIN_NAME, level);
  for await (const chunk of readStdin(context)) hasher.update(chunk);
  return hasher.digest();
}
