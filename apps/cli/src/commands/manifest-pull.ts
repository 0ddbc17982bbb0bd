import { EXIT, type ExitCode } from "@agentprint/findings";
import { hashManifest } from "@agentprint/manifest";
import type { ReadManifest } from "@agentprint/registry-api";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { formatJson } from "../files/format-json.ts";
import { replaceFile } from "../files/replace-file.ts";
import { requireManifest } from "../manifest/read-manifest.ts";
import {
  addRegistryOption,
  agentId,
  openRegistry,
  type RegistryOptions,
  withRegistry,
} from "../manifest/registry-options.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { positiveInteger } from "../terminal/option-parsers.ts";

interface ManifestPullOptions extends RegistryOptions {
  readonly agent: string;
  readonly ofVersion?: number;
  readonly output?: string;
  readonly check?: string;
  readonly format: "text" | "json";
  readonly timeout: number;
}

/** The seconds that all requests and pauses may take together. */
const TIMEOUT = 60;

export const examples: Examples = [
  [
    "agentprint manifest pull --registry https://registry.example.com --agent weather -o manifest.json",
    "the current version, whose hash is recomputed",
  ],
  [
    "agentprint manifest pull --registry https://registry.example.com --agent weather --check manifest.json",
    "exit 1 if the file holds a different manifest; for CI",
  ],
  [
    "agentprint manifest pull --registry https://registry.example.com --agent weather --of-version 3 --format json",
    "an earlier version, with its number and hash",
  ],
];

export function define(command: Command): void {
  command
    .requiredOption("--agent <id>", "the agent whose manifest is read", agentId)
    .option("--of-version <n>", "this version instead of the current one", positiveInteger)
    .addOption(
      new Option("--check <file>", "write nothing, and compare this manifest with the registry's").conflicts(
        "output",
      ),
    )
    .option("--timeout <s>", "time limit for the entire command, in seconds", positiveInteger, TIMEOUT)
    .option("-o, --output <file>", "write the manifest to a file instead of standard output; an old file is replaced")
    .addOption(
      new Option("--format <format>", "text: the manifest; json: with its version and hash")
        .choices(["text", "json"])
        .default("text"),
    );
  addRegistryOption(command);
}

export async function run(context: Context, options: ManifestPullOptions): Promise<ExitCode> {
  const { agent, ofVersion, output, check, format } = options;
  const deadline = AbortSignal.timeout(options.timeout * 1000);
  const client = openRegistry(context, options, { deadline });
  const read = await withRegistry(options, () => client.readManifest(agent, ofVersion)).catch((error: unknown) => {
    if (!deadline.aborted || context.signal?.aborted) throw error;
    throw new CliError("registry-failed", `the registry did not give the manifest within ${options.timeout} s`, {
      where: options.registry,
      fix: "run it again later, or allow more with --timeout",
      cause: error,
    });
  });
  if (check !== undefined) return compare(context, check, read, format);
  const text = formatJson(format === "json" ? read : read.manifest, 2);
  if (output === undefined) {
    context.stdout.write(text);
    return EXIT.same;
  }
  await replaceFile(context, output, text);
  context.stdout.write(`${escapeText(`wrote ${output}: version ${read.capability_manifest_version} of ${agent}`)}\n`);
  return EXIT.same;
}

async function compare(
  context: Context,
  file: string,
  { manifest: _, ...published }: ReadManifest,
  format: "text" | "json",
): Promise<ExitCode> {
  const hash = hashManifest((await requireManifest(context, file)).manifest);
  const isSame = hash === published.capability_manifest_hash;
  const version = `version ${published.capability_manifest_version} of ${published.agent_id}`;
  if (format === "json") context.stdout.write(formatJson({ ...published, file, hash, same: isSame }));
  else context.stdout.write(`${escapeText(`${file} is ${isSame ? version : `not ${version}`}`)}\n`);
  return isSame ? EXIT.same : EXIT.drift;
}
