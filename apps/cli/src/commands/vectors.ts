import type { Command } from "commander";

/** Mounts the `vectors` command of the golden vectors package; it loads every package, so it is loaded when it is run. */
export function registerVectors(program: Command): void {
  program
    .command("vectors")
    .description("Golden vectors: format, lint, run against any implementation")
    .argument("[args...]", "list, fmt, lint, run or release, with its own options")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: string[]) => {
      const { createVectorsCommand } = await import("@agentprint/golden-vectors");
      const vectors = createVectorsCommand().name("agentprint vectors");
      vectors.copyInheritedSettings(program);
      for (const command of vectors.commands) command.copyInheritedSettings(program);
      await vectors.parseAsync(args, { from: "user" });
    });
}
