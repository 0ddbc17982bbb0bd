import { locateJson } from "@agentprint/canonical-json";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { diffManifests } from "@agentprint/manifest";
import type { Command } from "commander";
import { readIfPresent } from "../files/planned-file.ts";
import { updateFile, writtenMeanwhile } from "../files/update-file.ts";
import { nextVersion } from "../manifest/next-version.ts";
import { requireManifest } from "../manifest/read-manifest.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";

export const examples: Examples = [
  ["agentprint manifest bump published.json manifest.json", "2.0.0 after 1.4.2, if a tool is gone"],
  ["agentprint manifest bump published.json manifest.json --write", "and write it into manifest.json"],
];

export function define(command: Command): void {
  command
    .argument("<before>", "the published manifest")
    .argument("<after>", "the next manifest")
    .option("--write", "write the version into the next manifest and change nothing else in it", false);
}

export async function run(
  context: Context,
  beforeFile: string,
  afterFile: string,
  { write }: { readonly write: boolean },
): Promise<ExitCode> {
  const [before, after] = [await requireManifest(context, beforeFile), await requireManifest(context, afterFile)];
  const version = nextVersion(before.manifest.agent_version, diffManifests(before.manifest, after.manifest));
  if (write) await writeVersion(context, afterFile, after.text, after.manifest.agent_version, version);
  context.stdout.write(`${version}\n`);
  return EXIT.same;
}

async function writeVersion(
  context: Context,
  file: string,
  bytes: Uint8Array,
  current: string,
  version: string,
): Promise<void> {
  const text = new TextDecoder().decode(bytes);
  const [position] = locateJson(text, ["/agent_version"]);
  const start = position?.offset ?? 0;
  const end = start + JSON.stringify(current).length;
  if (file === "-" || text.slice(start, end) !== JSON.stringify(current)) {
    throw new CliError("usage", `the version in ${file} cannot be replaced in place`, {
      expected: "a file with agent_version written without escapes",
      fix: "write the version without escapes in the file, or run the command without --write",
    });
  }
  await updateFile(context, file, async (target) => {
    if ((await readIfPresent(context, target)) !== text) throw writtenMeanwhile(file);
    return `${text.slice(0, start)}${JSON.stringify(version)}${text.slice(end)}`;
  });
}
