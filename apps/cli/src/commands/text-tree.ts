import type { NormalizationLevel } from "@agentprint/content-hash";
import { exitCode } from "@agentprint/report";
import type { Command } from "commander";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-code.ts";
import { replaceFile } from "../replace-file.ts";
import { treeReport } from "../report/tree-report.ts";
import { addExamples } from "../terminal/examples.ts";
import { addReportOptions, type ReportOptions, writeReport } from "../terminal/write-report.ts";
import { hashTree } from "../text/hash-tree.ts";
import { levelOption } from "../text/level-option.ts";
import { createTreeManifest, formatTreeManifest, readTreeManifest } from "../text/tree-manifest.ts";

interface TextTreeOptions extends ReportOptions {
  readonly level?: NormalizationLevel;
  readonly manifest?: string;
  readonly check?: string;
}

export function registerTextTree(text: Command): void {
  const command = text
    .command("tree")
    .description("Hash every file of a folder that .gitignore does not name; write a manifest or check against one")
    .argument("[folder]", "the folder", ".")
    .addOption(levelOption())
    .option("--manifest <file>", "write the digest of each file to a manifest")
    .option("--check <file>", "compare with a manifest; exit 1 if a file differs")
    .action(async (folder: string, options: TextTreeOptions) => {
      const { manifest, check } = options;
      if (manifest !== undefined && check !== undefined) throw exclusive("--manifest", "--check");
      if (check !== undefined && options.level !== undefined) throw exclusive("--level", "--check");
      const recorded = check === undefined ? undefined : await readTreeManifest(check);
      const level = recorded?.level ?? options.level ?? "whitespace";
      const tree = await hashTree(folder, level, manifest ?? check);
      const current = createTreeManifest(level, tree.entries);
      const report = treeReport(folder, tree, current, recorded);
      await writeReport(report, options);
      process.exitCode = exitCode(report);
      // A manifest with a gap would call the missing file new the next time.
      if (manifest !== undefined && process.exitCode === EXIT.fine) {
        await replaceFile(manifest, formatTreeManifest(current));
      }
    });
  addReportOptions(command);
  addExamples(command, [
    ["agentprint text tree", "the digest of this folder"],
    ["agentprint text tree src --manifest src.manifest.json", "record the digest of each file"],
    ["agentprint text tree src --check src.manifest.json", "exit 1 if more than formatting changed"],
  ]);
}

function exclusive(first: string, second: string): CliError {
  return new CliError("usage", `${first} and ${second} exclude each other`, {
    expected: "one of them",
    fix: `leave out ${first}: a check takes everything from the manifest`,
  });
}
