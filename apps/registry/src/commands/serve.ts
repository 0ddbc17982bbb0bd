import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { pino } from "pino";
import { RegistryError } from "../errors.ts";
import { startRegistry } from "../serve.ts";
import type { Surroundings } from "../surroundings.ts";

interface ServeOptions {
  readonly checkpointTo?: string;
  readonly acceptRollback: boolean;
  readonly keyList?: string;
}

const EXIT_AFTER_MS = 100;

/** `serve`, which is also the default command: answers requests until SIGINT or SIGTERM. */
export function addServeCommand(program: Command, { stdout, config }: Surroundings): void {
  program
    .command("serve", { isDefault: true })
    .description("answer requests (the default)")
    .allowExcessArguments()
    .option(
      "--checkpoint-to <place>",
      "where to keep checkpoints: a folder that another machine owns, or an https: URL",
    )
    .option(
      "--accept-rollback",
      "start with a database that is older than the checkpoints kept elsewhere; suspends all keys",
      false,
    )
    .option("--key-list <file>", "with --accept-rollback: the signed list of keys that was kept with the checkpoints")
    .action(async ({ checkpointTo, acceptRollback, keyList }: ServeOptions, { args: [word] }: Command) => {
      if (word !== undefined)
        program.error(`error: unknown command '${word}'\n(use --help to see the commands and examples)`);
      const settings = config(checkpointTo === undefined ? {} : { checkpoint_to: checkpointTo });
      const log = pino({ level: settings.log_level, base: { name: "agentprint-registry" } });
      const registry = await startRegistry(settings, log, {
        accept: acceptRollback,
        keyList: keyList === undefined ? undefined : readText(keyList),
      });
      // The signals are awaited before the line is written, because its reader may send one immediately.
      const end = ended();
      stdout.write(`The registry answers at ${registry.url}\n`);
      await end;
      await registry.close();
      // A database that hangs keeps its connections open.
      setTimeout(() => process.exit(), EXIT_AFTER_MS).unref();
    });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new RegistryError("INVALID_CONFIGURATION", `cannot read the list of keys ${file}: ${code}`, { cause });
  }
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
