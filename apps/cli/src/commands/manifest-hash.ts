import { canonicalizeManifest, hashManifest } from "@agentprint/manifest";
import { type Command, Option } from "commander";
import { requireManifest } from "../manifest/read-manifest.ts";
import { addExamples } from "../terminal/examples.ts";

export function registerManifestHash(manifest: Command): void {
  const command = manifest
    .command("hash")
    .description("Print the capability_manifest_hash of a valid manifest")
    .argument("[file]", "the manifest, or - for standard input", "-")
    .addOption(new Option("--format <format>", "how to print it").choices(["text", "json"]).default("text"))
    .action(async (file: string, { format }: { readonly format: "text" | "json" }) => {
      const { manifest: valid } = await requireManifest(file);
      const hash = hashManifest(valid);
      const bytes = Buffer.byteLength(canonicalizeManifest(valid));
      const line = format === "json" ? JSON.stringify({ capability_manifest_hash: hash, bytes }) : hash;
      process.stdout.write(`${line}\n`);
    });
  addExamples(command, [
    ["agentprint manifest hash manifest.json", "64 lowercase hex digits"],
    ["agentprint manifest hash --format json manifest.json", "with the canonical size"],
  ]);
}
