import type { NormalizationLevel } from "@agentprint/content-hash";
import { computeFileHash, createFileHasher } from "@agentprint/content-hash/node";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { EXIT } from "../exit-code.ts";
import { formatJson } from "../json/format-json.ts";
import { STDIN_NAME } from "../json/read-input.ts";
import { addExamples } from "../terminal/examples.ts";
import { printError } from "../terminal/report-error.ts";
import { levelOption } from "../text/level-option.ts";

interface TextHashOptions {
  readonly level: NormalizationLevel;
  readonly format: "text" | "json";
}

export function registerTextHash(text: Command): void {
  const command = text
    .command("hash")
    .description("Print the SHA-256 of the normalized text of files")
    .argument("[files...]", "UTF-8 text, or - for standard input", ["-"])
    .addOption(levelOption().default("whitespace"))
    .addOption(new Option("--format <format>", "how to print it").choices(["text", "json"]).default("text"))
    .action(async (files: string[], { level, format }: TextHashOptions) => {
      for (const file of files) {
        try {
          const sha256 = file === "-" ? await hashStdin(level) : await computeFileHash(file, { level });
          const line = `${sha256}  ${escapeText(file)}\n`;
          process.stdout.write(format === "json" ? formatJson({ file, level, sha256 }) : line);
        } catch (error) {
          printError(error);
          process.exitCode = EXIT.unknown;
        }
      }
    });
  addExamples(command, [
    ["agentprint text hash src/main.ts", "the same whatever its indentation and line ends"],
    ["agentprint text hash --level eol *.py", "only line ends do not matter"],
    ["git show HEAD:a.ts | agentprint text hash -", "from standard input"],
  ]);
}

async function hashStdin(level: NormalizationLevel): Promise<string> {
  const hasher = createFileHasher(STDIN_NAME, level);
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) hasher.update(chunk);
  return hasher.digest();
}
