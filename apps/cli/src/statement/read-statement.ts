import {
  createSigner,
  createVerifier,
  StatementError,
  type StatementSigner,
  type StatementVerifier,
} from "@agentprint/statement";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { readInput } from "../json/read-input.ts";

/** The longest file of a key, in bytes. */
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
  const fix = "write one: openssl genpkey -algorithm ed25519 -out <file>, or as docs/author.md does";
  return readable(file, fix, () => createSigner(pem));
}

/**
 * Returns the verifier of a file with a public key.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large`
 */
export async function readVerifier(context: Context, file: string): Promise<StatementVerifier> {
  const text = new TextDecoder().decode(await readInput(context, file, MAX_KEY_BYTES));
  return readable(file, "write it: openssl pkey -in <key> -pubout -out <file>", () => createVerifier(text));
}
