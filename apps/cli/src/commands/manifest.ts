import type { Command } from "commander";
import { registerManifestBump } from "./manifest-bump.ts";
import { registerManifestDiff } from "./manifest-diff.ts";
import { registerManifestFromMcp } from "./manifest-from-mcp.ts";
import { registerManifestHash } from "./manifest-hash.ts";
import { registerManifestInit } from "./manifest-init.ts";
import { registerManifestValidate } from "./manifest-validate.ts";

export function registerManifest(program: Command): void {
  const manifest = program
    .command("manifest")
    .description("Capability Manifests: validate, hash, compare, and make one from an MCP server");
  registerManifestInit(manifest);
  registerManifestFromMcp(manifest);
  registerManifestValidate(manifest);
  registerManifestHash(manifest);
  registerManifestDiff(manifest);
  registerManifestBump(manifest);
}
