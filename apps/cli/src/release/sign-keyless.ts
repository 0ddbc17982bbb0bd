import { type OpenedStatement, PAYLOAD_TYPE } from "@agentprint/statement";
import type { IdentityProvider } from "@sigstore/sign";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { loadSigstore, noSigstore, readable, readRoot } from "../statement/read-statement.ts";

/** The options for a Sigstore instance, as the command line gives them. */
export interface SigstoreOptions {
  /** The file of the trusted root; absent if a key signs. */
  readonly sigstore?: string;
  readonly fulcio: string;
  readonly rekor: string;
  readonly tsa?: string;
}

/** Signs without a key, as the identity of the job that runs. */
export interface KeylessSigner {
  /** Opens a statement signed by anyone whom the trusted root knows. */
  readonly open: (bundle: string) => OpenedStatement;
  /** Signs a payload. The bundle is verified. */
  readonly sign: (payload: Uint8Array) => Promise<{ readonly text: string; readonly signedBy: string }>;
}

/** Sources of identity tokens: an environment variable, or a CI service. */
const NO_TOKEN = {
  expected: "an identity token: SIGSTORE_ID_TOKEN, or the service of GitHub Actions or Buildkite",
  fix: "set SIGSTORE_ID_TOKEN to a token for the audience sigstore, or give the job of GitHub Actions the permission id-token: write",
};

/**
 * Returns the signer for the identity that the environment proves; its messages never contain the token.
 *
 * @throws {@link CliError} `usage` if there is no token or no library; `unreadable-input`, `too-large`
 */
export async function keylessSigner(
  context: Context,
  { sigstore: file = "", fulcio, rekor, tsa }: SigstoreOptions,
): Promise<KeylessSigner> {
  const { openBundle } = await loadSigstore();
  const root = await readRoot(context, file);
  const { CIContextProvider, DSSEBundleBuilder, FulcioSigner, RekorWitness, TSAWitness } = await import(
    "@sigstore/sign"
  ).catch((cause: unknown) => {
    throw noSigstore(cause);
  });
  const token = await identityToken(new CIContextProvider());
  context.hidden.hideFromOutput([{ name: "identity token", value: token }]);
  const bundler = new DSSEBundleBuilder({
    signer: new FulcioSigner({ fulcioBaseURL: fulcio, identityProvider: { getToken: async () => token } }),
    witnesses: [
      new RekorWitness({ rekorBaseURL: rekor, entryType: "dsse" }),
      ...(tsa === undefined ? [] : [new TSAWitness({ tsaBaseURL: tsa })]),
    ],
  });
  return {
    open: (bundle) => openBundle(bundle, root),
    sign: async (payload) => {
      const { bundleToJSON } = await import("@sigstore/bundle");
      const bundle = await bundler
        .create({ data: Buffer.from(payload), type: PAYLOAD_TYPE })
        .catch((error: unknown) => {
          throw refusal(error);
        });
      const text = `${JSON.stringify(bundleToJSON(bundle), undefined, 2)}\n`;
      const { keyId } = readable(fulcio, `give --sigstore the trusted root of ${fulcio}`, () => openBundle(text, root));
      return { text, signedBy: keyId };
    },
  };
}

/** @throws {@link CliError} `usage` if nothing proves who runs this */
async function identityToken(provider: IdentityProvider): Promise<string> {
  const token = await provider.getToken().catch(() => undefined);
  if (token === undefined) throw new CliError("usage", "nothing proves who signs", NO_TOKEN);
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return token;
  throw new CliError("usage", "the identity token is not valid", { ...NO_TOKEN, where: "SIGSTORE_ID_TOKEN" });
}

/** The messages for failed services of an instance, by error code. */
const REFUSALS: Readonly<Record<string, string>> = {
  IDENTITY_TOKEN_PARSE_ERROR: "the identity token cannot be read",
  CA_CREATE_SIGNING_CERTIFICATE_ERROR: "Fulcio issued no certificate for the identity",
  TLOG_FETCH_ENTRY_ERROR: "Rekor did not log the signature",
  TLOG_CREATE_ENTRY_ERROR: "Rekor did not log the signature",
  TSA_CREATE_TIMESTAMP_ERROR: "the time stamp authority issued no time stamp",
};

/** Returns the error for a failed service. The library's own message is left out, because it may repeat the token. */
function refusal(error: unknown): unknown {
  const message = error instanceof Error && "code" in error ? REFUSALS[String(error.code)] : undefined;
  if (message === undefined) return error;
  return new CliError("registry-failed", message, {
    expected: "a Sigstore instance that knows who issued the token",
    fix: "compare --fulcio, --rekor and --tsa, and the audience of the token, with the instance",
  });
}
