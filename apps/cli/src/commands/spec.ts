import type { Command } from "commander";
import { registerSpecCheck } from "./spec-check.ts";
import { registerSpecDiff } from "./spec-diff.ts";
import { registerSpecHash } from "./spec-hash.ts";

export function registerSpec(program: Command): void {
  const spec = program.command("spec").description("Hash an agent's spec, and see how it drifted");
  registerSpecHash(spec);
  registerSpecDiff(spec);
  registerSpecCheck(spec);
}
