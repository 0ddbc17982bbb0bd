import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createNoteKeys, createNoteSigner, type NoteSigner } from "@agentprint/trail/checkpoint";
import { RegistryError } from "../errors.ts";
import type { CheckpointSigning } from "../trail/checkpoints.ts";
import type { Config } from "./config.ts";

/**
 * The key that signs the checkpoints of a registry. For SQLite it is made in `<database>.signer-key` if there is none. The
 * instances that share a PostgreSQL database need the same key, so that its file has to be named.
 *
 * @throws {@link RegistryError} `INVALID_CONFIGURATION` when there is no key, or it is the key of another name.
 */
export function loadSigning(config: Config): CheckpointSigning {
  const path = config.signer_key_file ?? keyFileBeside(config.database);
  if (path === undefined) {
    const message = "expected signer_key_file for PostgreSQL: `agentprint-registry keygen <file>` makes it";
    throw new RegistryError("INVALID_CONFIGURATION", message);
  }
  const key = readKey(path) ?? (config.signer_key_file === undefined ? makeSignerKey(path, config.name) : undefined);
  if (key === undefined) throw new RegistryError("INVALID_CONFIGURATION", `there is no signer key at ${path}`);
  return signingOf(key, config.name, path);
}

/**
 * Makes a key for the checkpoints of the registry `name` in the file `path`, which only its owner can read. A file that
 * exists is left as it is.
 *
 * @returns the key in the file
 */
export function makeSignerKey(path: string, name: string): string {
  const { signerKey } = createNoteKeys(name, new Uint8Array(randomBytes(32)));
  const temporary = `${path}.${process.pid}`;
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, `${signerKey}\n`);
    fsyncSync(file);
    // A link is made only if nothing has the name yet, so that two processes that start together use one key.
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    closeSync(file);
    rmSync(temporary);
  }
  return readKey(path) ?? signerKey;
}

function signingOf(key: string, name: string, path: string): CheckpointSigning {
  const signer = createNoteSigner(key);
  if (signer.name !== name) {
    const message = `the signer key at ${path} is that of ${signer.name}, and the name of the registry is ${name}`;
    throw new RegistryError("INVALID_CONFIGURATION", message);
  }
  return { signer, verifierKey: verifierKeyOf(signer) };
}

/** The public key in the form of signed-note: name, key id, and the type 1 with the key in Base64. */
function verifierKeyOf({ name, keyId, verifier }: NoteSigner): string {
  const key = Buffer.concat([Uint8Array.of(1), Buffer.from(verifier?.publicKey ?? "", "hex")]);
  return `${name}+${keyId}+${key.toString("base64")}`;
}

function keyFileBeside(database: string): string | undefined {
  if (!database.startsWith("file:")) return undefined;
  const path = database.startsWith("file://") ? fileURLToPath(database) : database.slice("file:".length);
  return `${path}.signer-key`;
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const message = `cannot read the signer key at ${path}: ${(cause as NodeJS.ErrnoException).code}`;
    throw new RegistryError("INVALID_CONFIGURATION", message, { cause });
  }
}
