import { existsSync } from "node:fs";
import { makeSignerKey } from "@agentprint/trail-store";
import type { Command } from "commander";
import { RegistryError } from "../errors.ts";
import type { Surroundings } from "../surroundings.ts";

/** `keygen`: creates the key that signs checkpoints. */
export function addKeygenCommand(program: Command, { stdout, config }: Surroundings): void {
  program
    .command("keygen")
    .description("create the key that signs checkpoints, in a file that only its owner can read")
    .argument("<file>", "where to write the key; an existing file is an error")
    .action((file: string) => {
      if (existsSync(file)) throw new RegistryError("INVALID_CONFIGURATION", `the file ${file} already exists`);
      makeSignerKey(file, config().name);
      stdout.write(
        `The key is in ${file}. Keep a copy: without the key, no later checkpoint can continue the earlier ones.\n`,
      );
    });
}
