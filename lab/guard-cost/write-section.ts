import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { run } from "./programs.ts";

const README = fileURLToPath(new URL("../../packages/guard/README.md", import.meta.url));

/** Writes a text between a section's markers in the README of `@agentprint/guard`. */
export function writeSection(name: string, text: string): void {
  writeFileSync(README, withPart(readFileSync(README, "utf8"), name, text));
  run(dirname(README), ["pnpm", "exec", "biome", "format", "--write", README]);
}
