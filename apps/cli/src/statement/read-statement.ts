import { dirname, join } from "node:path";
import type { SigstoreRule } from "@agentprint/policy";
import {
  createSigner,
  createVerifier,
  type OpenedStatement,
  StatementError,
  type StatementSigner,
  type StatementVerifier,
} from "@agentprint/statement";
import type { OpenBundle } from "@agentprint/statement/evidence";
import type { SigstoreRoot } from "@agentprint/statement/sigstore";
import { readInput, readRegularFile } from "../files/read-input.ts";
import type { Context } from "../run/context.ts";
import { CliError, notInstalled } from "../run/errors.ts";

/** The maximum size of a key file, in bytes. */
const MAX_KEY_BYTES = 65_536;

/**
 * Runs a function that reads the text of a key or a statement, and explains its error.
 *
 * @throws {@link CliError} `unreadable-input`
 */
export function readable<T>(file: string, fix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const where = error.path === "" ? file : `${file} at ${error.path}`;
    throw new CliError("unreadable-input", error.message, { where, expected: error.expected, fix, cause: error });
  }
}

/**
 * Returns the signer of a key file.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large`
 */
export async function readSigner(context: Context, file: string): Promise<StatementSigner> {
  const pem = new TextDecoder().decode(await readInput(context, file, MAX_KEY_BYTES));
  const fix = "make a key: agentprint key generate <file>";
  return readable(file, fix, () => createSigner(pem));
}

/**
 * Returns the verifier of a public key file.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large`
 */
export async function readVerifier(context: Context, file: string): Promise<StatementVerifier> {
  const text = new TextDecoder().decode(await readInput(context, file, MAX_KEY_BYTES));
  return readable(file, "write it: openssl pkey -in <key> -pubout -out <file>", () => createVerifier(text));
}

/** The maximum size of a trusted root, in bytes. */
const MAX_ROOT_BYTES = 4 * 1024 * 1024;

/**
 * Loads the functions that verify Sigstore bundles.
 *
 * @throws {@link CliError} `usage` if its libraries are not installed
 */
export async function loadSigstore(): Promise<typeof import("@agentprint/statement/sigstore")> {
  return await import("@agentprint/statement/sigstore").catch((cause: unknown) => {
    throw noSigstore(cause);
  });
}

/** Returns the error that reports that the Sigstore libraries for signing and verifying cannot be loaded. */
export function noSigstore(cause: unknown): CliError {
  const packages = ["@sigstore/bundle", "@sigstore/protobuf-specs", "@sigstore/sign", "@sigstore/verify"];
  return notInstalled("the libraries of Sigstore", packages, { cause });
}

/**
 * Reads the trusted root of a Sigstore instance.
 *
 * @throws {@link CliError} `usage`, `unreadable-input`, `too-large`
 */
export async function readRoot(context: Context, file: string): Promise<SigstoreRoot> {
  const { readTrustedRoot } = await loadSigstore();
  const text = await readRegularFile(context, file, MAX_ROOT_BYTES);
  const fix = "get the trusted_root.json of the instance, as docs/author.md describes";
  return readable(file, fix, () => readTrustedRoot(text));
}

/**
 * Returns a function that opens Sigstore bundles.
 *
 * @param file The file of the trusted root
 * @throws {@link CliError} `usage`, `unreadable-input`, `too-large`
 */
export async function bundleOpener(context: Context, file: string): Promise<OpenBundle> {
  const { openBundle } = await loadSigstore();
  const root = await readRoot(context, file);
  return (bundle, identities) => openBundle(bundle, root, identities);
}

/**
 * Returns a function that opens a statement in a Sigstore bundle.
 *
 * @param lock The path of the lock; the path of the trusted root is relative to its folder
 * @throws {@link CliError} `usage`, `unreadable-input`, `too-large`
 */
export async function keylessOpener(
  context: Context,
  bundle: Uint8Array,
  { trustedRoot, identities }: SigstoreRule,
  lock: string,
): Promise<() => OpenedStatement> {
  const open = await bundleOpener(context, join(dirname(lock), trustedRoot));
  return () => open(bundle, identities);
}
