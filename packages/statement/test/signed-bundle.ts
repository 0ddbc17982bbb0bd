import { statementOf } from "@agentprint/testing/statement/author";
import { type InstanceOptions, identityToken, SigstoreInstance } from "@agentprint/testing/statement/sigstore-instance";
import { bundleToJSON } from "@sigstore/bundle";
import { DSSEBundleBuilder, FulcioSigner, RekorWitness, TSAWitness } from "@sigstore/sign";
import { readTrustedRoot, type SigstoreIdentity, type SigstoreRoot } from "../src/adapters/sigstore.ts";
import { PAYLOAD_TYPE, payloadOf, type Statement } from "../src/index.ts";
import { before } from "./example-world.ts";

export const ISSUER = "https://token.actions.githubusercontent.com";
export const WORKFLOW = "https://github.com/me/files/.github/workflows/release.yml@refs/tags/v1.2.0";
export const ME: SigstoreIdentity = { identity: WORKFLOW, issuer: ISSUER };

export interface Signed {
  readonly root: SigstoreRoot;
  /** The bundle's text. */
  readonly bundle: string;
}

interface SignedOptions extends InstanceOptions {
  readonly statement?: Statement;
  readonly payload?: Uint8Array;
}

/** Returns a bundle that the Sigstore library writes, through its own instance. */
export async function signed(options: SignedOptions = {}): Promise<Signed> {
  const { statement = statementOf(before, "1.2.0"), payload = payloadOf(statement) } = options;
  await using instance = await SigstoreInstance.start(options);
  const bundler = new DSSEBundleBuilder({
    signer: new FulcioSigner({
      fulcioBaseURL: instance.url,
      identityProvider: { getToken: async () => identityToken(WORKFLOW, ISSUER) },
    }),
    witnesses: [
      new RekorWitness({ rekorBaseURL: instance.url, entryType: "dsse" }),
      new TSAWitness({ tsaBaseURL: instance.url }),
    ],
  });
  const bundle = await bundler.create({ data: Buffer.from(payload), type: PAYLOAD_TYPE });
  return { root: readTrustedRoot(instance.trustedRoot), bundle: JSON.stringify(bundleToJSON(bundle)) };
}
