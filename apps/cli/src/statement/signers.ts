import type { SigstoreRule } from "@agentprint/policy";
import { createVerifier, isBundle, type OpenedStatement, type StatementVerifier } from "@agentprint/statement";
import { policyFileOf, readPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { keylessOpener, readable, readVerifier } from "./read-statement.ts";

/** The signers that are accepted for statements about a server. */
export interface Signers {
  readonly server: string;
  /** The path of the lock, next to which the configuration is. */
  readonly lock: string;
  readonly keys: readonly StatementVerifier[];
  readonly sigstore?: SigstoreRule | undefined;
}

/**
 * Returns the accepted signers for a server: the keys of the command line, and the identities and the other keys of the
 * configuration, which is read if the command line names no key, or a text is a Sigstore bundle.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large`, `invalid-config`
 */
export async function signersFor(
  context: Context,
  server: string,
  texts: readonly Uint8Array[],
  { key: files = [], lock }: { readonly key?: readonly string[]; readonly lock: string },
): Promise<Signers> {
  const given = await Promise.all(files.map((file) => readVerifier(context, file)));
  if (given.length > 0 && !texts.some(isBundle)) return { server, lock, keys: given };
  const { statements = {} } = (await readPolicy(context, { lock })).policy;
  const { keys = [], sigstore } = (Object.hasOwn(statements, server) && statements[server]) || {};
  const listed = readable(policyFileOf({ lock }), "correct the keys of the statement", () => keys.map(createVerifier));
  return { server, lock, keys: given.length > 0 ? given : listed, sigstore };
}

/**
 * Returns a function that opens a Sigstore bundle; `undefined` for an envelope, which a key signs.
 *
 * @throws {@link CliError} `usage` if no accepted signer of a text of that form is named; `unreadable-input`,
 * `too-large`
 */
export async function openerOf(
  context: Context,
  text: Uint8Array,
  { server, lock, keys, sigstore }: Signers,
): Promise<(() => OpenedStatement) | undefined> {
  const member = `statements.${server} in ${policyFileOf({ lock })}`;
  if (!isBundle(text)) {
    if (keys.length > 0) return undefined;
    throw new CliError("usage", "no key is named that may sign the statement, which is not a Sigstore bundle", {
      expected: `--key <file>, or keys of ${member}`,
    });
  }
  if (sigstore !== undefined) return await keylessOpener(context, text, sigstore, lock);
  throw new CliError("usage", "no identity is named that may sign the statement, which is a Sigstore bundle", {
    expected: `sigstore of ${member}: a trustedRoot, and identities with their issuers`,
  });
}
