import {
  ContentHashError,
  createTreeManifest,
  formatTreeManifest,
  type NormalizationLevel,
  parseTreeManifest,
  type TreeManifest,
} from "@agentprint/content-hash";
import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import { MAX_JSON_BYTES } from "../files/limits.ts";
import { readInput } from "../files/read-input.ts";
import { replaceFile } from "../files/replace-file.ts";
import { readPolicy } from "../policy/read-policy.ts";
import { reportByPolicy } from "../policy/report-by-policy.ts";
import { addPolicyOption, addReportOptions, type ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context, InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { hashTree } from "../text/hash-tree.ts";
import { levelOption } from "../text/level-option.ts";
import { treeReport } from "../text/tree-report.ts";

interface TextTreeOptions extends ReportOptions {
  readonly config?: string;
  readonly level?: NormalizationLevel;
  readonly manifest?: string;
  readonly check?: string;
}

export const examples: Examples = [
  ["agentprint text tree", "the digest of this folder"],
  ["agentprint text tree src --manifest src.manifest.json", "record the digest of each file"],
  ["agentprint text tree src --check src.manifest.json", "exit 1 if more than formatting changed"],
];

export function define(command: Command): void {
  command
    .argument("[folder]", "the folder", ".")
    .addOption(levelOption())
    .option("--manifest <file>", "write the digest of each file to a manifest")
    .option("--check <file>", "compare with a manifest; exit 1 if a file differs");
  addPolicyOption(command);
  addReportOptions(command);
}

export async function run(context: Context, folder: string, options: TextTreeOptions): Promise<ExitCode> {
  const { manifest, check } = options;
  if (manifest !== undefined && check !== undefined) throw exclusive("--manifest", "--check");
  if (check !== undefined && options.level !== undefined) throw exclusive("--level", "--check");
  const policy = await readPolicy(context, options);
  const before = check === undefined ? undefined : await readTreeManifest(context, check);
  const level = before?.level ?? options.level ?? "whitespace";
  const tree = await hashTree(context, folder, level, manifest ?? check);
  const after = createTreeManifest(level, Object.fromEntries(tree.entries));
  const report = reportByPolicy(context, treeReport(folder, tree, after, before), policy);
  const exitCode = await writeReport(context, report, options, [check ?? manifest ?? []].flat());
  // With a gap in the manifest, the next check would report the missing file as new.
  if (manifest !== undefined && exitCode === EXIT.same) {
    await replaceFile(context, manifest, formatTreeManifest(after));
  }
  return exitCode;
}

function exclusive(first: string, second: string): CliError {
  return new CliError("usage", `${first} and ${second} exclude each other`, {
    expected: "one of them",
    fix: `leave out ${first}: a check takes everything from the manifest`,
  });
}

/** Reads a manifest file; one that was edited by hand is refused. */
async function readTreeManifest(context: InputContext, file: string): Promise<TreeManifest> {
  const text = await readInput(context, file, MAX_JSON_BYTES);
  try {
    return parseTreeManifest(text);
  } catch (error) {
    if (!(error instanceof ContentHashError)) throw error;
    throw new CliError("unreadable-input", `${file} is not the manifest of a tree`, {
      where: file,
      expected: `what agentprint text tree --manifest wrote; ${error.message}`,
      fix: "restore the file, or write it again with agentprint text tree --manifest",
      cause: error,
    });
  }
}
