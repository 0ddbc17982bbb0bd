import { createVectorsCommand } from "@agentprint/golden-vectors";
import type { Command } from "commander";

/** Mounts the `vectors` command of the golden vectors package with the settings of this program. */
export function registerVectors(program: Command): void {
  const vectors = createVectorsCommand();
  vectors.copyInheritedSettings(program);
  for (const command of vectors.commands) command.copyInheritedSettings(program);
  program.addCommand(vectors);
}
