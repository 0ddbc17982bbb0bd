import { EXIT, type ExitCode } from "@agentprint/findings";
import type { Command } from "commander";
import type { Context } from "../run/context.ts";

/** Arguments and options are those of the command of the golden vectors package. */
export function define(command: Command): void {
  command
    .argument("[args...]", "list, fmt, lint, run or release, with its own options")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions();
}

export async function run(
  { stdout }: Context,
  args: readonly string[],
  _options: object,
  command: Command,
): Promise<ExitCode> {
  const { createVectorsCommand } = await import("@agentprint/golden-vectors");
  let exitCode: ExitCode = EXIT.same;
  const vectors = createVectorsCommand({
    write: (text) => stdout.write(text),
    setExitCode: (code) => {
      exitCode = code;
    },
  });
  vectors.name("agentprint vectors");
  for (const part of [vectors, ...vectors.commands]) part.copyInheritedSettings(command.parent ?? command);
  await vectors.parseAsync(args, { from: "user" });
  return exitCode;
}
