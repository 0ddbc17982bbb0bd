import type { Command } from "commander";
import { pino } from "pino";
import type { Config } from "../config.ts";
import { boundHeap } from "../http/bound-heap.ts";
import { startHttp } from "../http/serve-http.ts";
import { startStdio } from "../serve-stdio.ts";
import { openServices } from "../services.ts";
import type { Surroundings } from "../surroundings.ts";

/**
 * The time in milliseconds for which the last answers wait for a client over stdio. Official clients kill a server two
 * seconds after they disconnect.
 */
const UNREAD_MS = 2000;

/** `serve`, which is also the default command: serves until the client leaves, or until SIGINT or SIGTERM. */
export function addServeCommand(
  program: Command,
  { stdin, stdout, stderr, exit }: Surroundings,
  config: () => Promise<Config>,
): void {
  program
    .command("serve", { isDefault: true })
    .description("answer one client over stdio, or many clients over HTTP with --http (the default command)")
    .option("--http", "answer over streamable HTTP")
    .action(async ({ http }: { http?: true }) => {
      const settings = await config();
      // Over stdio, standard output belongs to the client.
      const log = pino({ level: settings.log_level, base: { name: "agentprint-mcp-server" } }, stderr);
      const services = await openServices(settings, log);
      try {
        if (http) {
          boundHeap();
          const server = await startHttp(services);
          // The signals are awaited before the line is written, because its reader may send one immediately.
          const end = signalled();
          stderr.write(`The MCP server answers at ${server.url}\n`);
          await end;
          await server.close();
        } else {
          const server = startStdio(services, stdin, stdout);
          await Promise.race([server.ended, signalled()]);
          await server.close();
          // Bytes that the client does not read would keep the process alive forever.
          setTimeout(() => exit(0), UNREAD_MS).unref();
        }
      } finally {
        await services.trail.close();
      }
    });
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
