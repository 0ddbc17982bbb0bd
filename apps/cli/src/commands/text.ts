import type { Command } from "commander";
import { registerTextCompare } from "./text-compare.ts";
import { registerTextHash } from "./text-hash.ts";
import { registerTextTree } from "./text-tree.ts";

export function registerText(program: Command): void {
  const text = program
    .command("text")
    .description("Hash text, not its formatting: files, folders, and whether only formatting differs");
  registerTextHash(text);
  registerTextCompare(text);
  registerTextTree(text);
}
