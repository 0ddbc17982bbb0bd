import type { Command } from "commander";
import { pino } from "pino";
import { startRegistry } from "../serve.ts";
import type { Surroundings } from "../surroundings.ts";

/** `serve`, which is also what happens without a command: answers requests until SIGINT or SIGTERM. */
export function addServeCommand(program: Command, { stdout, config }: Surroundings): void {
  program
    .command("serve", { isDefault: true })
    .description("answer requests (the default)")
    .action(async () => {
      const settings = config();
      const log = pino({ level: settings.log_level, base: { name: "agentprint-registry" } });
      const registry = await startRegistry(settings, log);
      stdout.write(`The registry answers at ${registry.url}\n`);
      await ended();
      await registry.close();
    });
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
