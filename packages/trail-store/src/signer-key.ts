import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createNoteKeys, createNoteSigner, type NoteSigner } from "@agentprint/trail/checkpoint";
import { checkArgument } from "./check-argument.ts";
import { TrailStoreError } from "./errors.ts";

/** A key that signs a service's checkpoints. */
export interface SignerKey {
  readonly signer: NoteSigner;
  /** The public key in the signed-note format, with which others verify checkpoints. */
  readonly verifierKey: string;
}

/** The place of a service's key. */
export interface SignerKeyPlace {
  /** The URL of the store. The key of an SQLite file is created in `<file>.signer-key` if it is missing. */
  readonly url: string;
  /** The file with the key. It must exist. */
  readonly file?: string | undefined;
}

/**
 * Returns the key that signs the checkpoints of the service called `name`. Instances that share a PostgreSQL database
 * need the same key, so `file` has to be given.
 *
 * @throws {@link TrailStoreError} `signer-key` when there is no key, or when the key cannot be read or belongs to
 * another name.
 */
export function loadSignerKey(name: string, place: SignerKeyPlace): SignerKey {
  checkArgument("name", name, "string");
  checkArgument("place", place, { url: "string" });
  const { url, file } = place;
  const path = file ?? pathBeside(url);
  if (path === undefined) {
    throw new TrailStoreError("signer-key", "the store is not an SQLite file: expected the path of a signer key file");
  }
  const key = readKey(path) ?? (file === undefined ? makeSignerKey(path, name) : undefined);
  if (key === undefined) throw new TrailStoreError("signer-key", `there is no signer key at ${path}`);
  const signer = createNoteSigner(key);
  if (signer.name !== name) {
    throw new TrailStoreError("signer-key", `the signer key at ${path} belongs to ${signer.name}, expected ${name}`);
  }
  return { signer, verifierKey: verifierKeyOf(signer) };
}

/**
 * Creates a key for the checkpoints of the service called `name` in the file `path`, which only its owner can read. An
 * existing file is left unchanged.
 *
 * @returns the key in the file
 * @throws {@link TrailStoreError} `signer-key` when the file can be neither read nor created
 */
export function makeSignerKey(path: string, name: string): string {
  const { signerKey } = createNoteKeys(name, new Uint8Array(randomBytes(32)));
  // The name does not use the process id, because in a container a restarted process has the same id as the killed one.
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, `${signerKey}\n`, { flag: "wx", mode: 0o600, flush: true });
    // A link is created only if the name is free, so that two processes that start together use the same key.
    linkSync(temporary, path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EEXIST") {
      throw new TrailStoreError("signer-key", `cannot create a signer key at ${path}: ${code}`, { cause });
    }
  } finally {
    rmSync(temporary, { force: true });
  }
  return readKey(path) ?? signerKey;
}

/** Returns the public key in the signed-note format: the name, the key id, and the type 1 and the key in Base64. */
function verifierKeyOf({ name, keyId, verifier }: NoteSigner): string {
  const key = Buffer.concat([Uint8Array.of(1), Buffer.from(verifier?.publicKey ?? "", "hex")]);
  return `${name}+${keyId}+${key.toString("base64")}`;
}

function pathBeside(url: string): string | undefined {
  if (!url.startsWith("file:")) return undefined;
  return `${url.startsWith("file://") ? fileURLToPath(url) : url.slice("file:".length)}.signer-key`;
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new TrailStoreError("signer-key", `cannot read the signer key at ${path}: ${code}`, { cause });
  }
}
