import { EXIT, type ExitCode } from "@agentprint/findings";
import { canonicalizeManifest, hashManifest } from "@agentprint/manifest";
import { type Command, Option } from "commander";
import { requireManifest } from "../manifest/read-manifest.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

interface ManifestHashOptions {
  readonly format: "text" | "json";
}

export const examples: Examples = [
  ["agentprint manifest hash manifest.json", "64 lowercase hex digits"],
  ["agentprint manifest hash --format json manifest.json", "with the canonical size"],
];

export function define(command: Command): void {
  command
    .argument("[file]", "the manifest, or - for standard input", "-")
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
}

export async function run(context: Context, file: string, { format }: ManifestHashOptions): Promise<ExitCode> {
  const { manifest } = await requireManifest(context, file);
  const hash = hashManifest(manifest);
  const bytes = Buffer.byteLength(canonicalizeManifest(manifest));
  const line = format === "json" ? JSON.stringify({ capability_manifest_hash: hash, bytes }) : hash;
  context.stdout.write(`${line}\n`);
  return EXIT.same;
}
