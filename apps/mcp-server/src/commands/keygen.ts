import { existsSync } from "node:fs";
import { makeSignerKey } from "@agentprint/trail-store";
import type { Command } from "commander";
import type { Config } from "../config.ts";
import { McpServerError } from "../errors.ts";

/** `keygen`: creates the key that signs checkpoints, for servers that share a PostgreSQL database. */
export function addKeygenCommand(program: Command, config: () => Promise<Config>): void {
  program
    .command("keygen")
    .description("create the key that signs checkpoints; only PostgreSQL needs this")
    .argument("<file>", "file for the secret key; it must not exist yet")
    .action(async (file: string) => {
      const { name } = await config();
      if (existsSync(file)) throw new McpServerError("INVALID_CONFIGURATION", `${file} exists already`);
      makeSignerKey(file, name);
    });
}
