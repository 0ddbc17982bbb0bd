import { existsSync } from "node:fs";
import { loadSignerKey, makeSignerKey } from "@agentprint/trail-store";
import type { Command } from "commander";
import { loadSigning } from "../config/signer-key.ts";
import { openElsewhere } from "../elsewhere/elsewhere.ts";
import { RegistryError } from "../errors.ts";
import { checkSigner, rotateSigner } from "../signer/rotate-signer.ts";
import type { Surroundings } from "../surroundings.ts";
import { withStore } from "./with-store.ts";

/** `signer`: shows and rotates the key that signs checkpoints. */
export function addSignerCommands(program: Command, surroundings: Surroundings): void {
  const { stdout, config } = surroundings;
  const signer = program.command("signer").description("show and rotate the key that signs checkpoints");
  signer
    .command("show")
    .description("write the public key that verifies checkpoints")
    .action(() => void stdout.write(`${loadSigning(config()).verifierKey}\n`));
  signer
    .command("rotate")
    .description("create a new key, signed by the current one; then restart the instances with signer_key_file")
    .argument("<file>", "where to write the new key; an existing file is an error")
    .action(async (file: string) => {
      const settings = config();
      const present = loadSigning(settings);
      await withStore(surroundings, async (store) => {
        await checkSigner(store, present);
        if (existsSync(file)) throw new RegistryError("INVALID_CONFIGURATION", `the file ${file} already exists`);
        makeSignerKey(file, settings.name);
        const successor = loadSignerKey(settings.name, { url: settings.database, file });
        const note = await rotateSigner(store, present, successor, new Date());
        stdout.write(`The new key is in ${file}: set signer_key_file to that file, and restart every instance.\n`);
        stdout.write(`${successor.verifierKey}\n`);
        if (settings.checkpoint_to !== undefined) await openElsewhere(settings.checkpoint_to).send(note);
      });
    });
}
