import { type BundleWithDsseEnvelope, bundleFromJSON, isBundleWithDsseEnvelope } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { toSignedEntity, toTrustMaterial, VerificationError, Verifier } from "@sigstore/verify";
import { BUNDLE_TYPE, PAYLOAD_TYPE, readJson } from "../envelope.ts";
import { StatementError, type StatementErrorCode } from "../errors.ts";
import { openPayload } from "../open-statement.ts";
import type { OpenedStatement, SigstoreIdentity } from "../statement.ts";

export type { SigstoreIdentity };

const ROOT_TYPES: readonly string[] = [
  "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
  "application/vnd.dev.sigstore.trustedroot.v0.2+json",
];

/** The maximum number of log entries, and of timestamps, in a bundle, because each is verified. */
const MAX_WITNESSES = 16;

/** The authorities and logs of a Sigstore instance. */
export interface SigstoreRoot {
  readonly verifier: Verifier;
}

/**
 * Reads a Sigstore trusted root.
 *
 * @param text The text of a `trusted_root.json`, at most 16 MiB
 * @throws {@link StatementError} `invalid-root`
 */
export function readTrustedRoot(text: string | Uint8Array): SigstoreRoot {
  const root = guarded("invalid-root", "a Sigstore trusted root", () =>
    TrustedRoot.fromJSON(readJson(text, "invalid-root")),
  );
  if (!ROOT_TYPES.includes(root.mediaType)) {
    const expected = ROOT_TYPES.join(" or ");
    throw new StatementError("invalid-root", "this is not a Sigstore trusted root", { path: "/mediaType", expected });
  }
  const material = guarded("invalid-root", "certificates and keys that can be read", () => toTrustMaterial(root));
  return { verifier: new Verifier(material, { ctlogThreshold: 1, tlogThreshold: 1, timestampThreshold: 1 }) };
}

/**
 * Reads a statement in a Sigstore bundle, without network access. Nothing in it is read before its signature is
 * verified: an authority in the root issued the certificate, a certificate log contains it, a log in the root contains
 * the signature's entry, and the certificate was valid at the time that the log or a timestamp states. The key's id is
 * the identity.
 *
 * @param bundle The bundle's text, at most 16 MiB
 * @param root The trusted authorities and logs
 * @param identities The identities that may sign for the server; absent if anyone with a certificate from the root may
 * @throws {@link StatementError} `invalid-envelope`, `untrusted-certificate`, `not-logged`, `invalid-signature`, `wrong-identity`,
 * `invalid-statement`
 *
 * @example
 * ```ts
 * import { StatementError } from "@agentprint/statement";
 * import { openBundle, readTrustedRoot } from "@agentprint/statement/sigstore";
 *
 * const root = readTrustedRoot('{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}');
 * const issuer = "https://token.actions.githubusercontent.com";
 * const identity = "https://github.com/me/files/.github/workflows/release.yml@refs/tags/*";
 * try {
 *   openBundle("{}", root, [{ identity, issuer }]);
 * } catch (error) {
 *   if (!(error instanceof StatementError)) throw error;
 *   console.log(error.code); // invalid-envelope
 * }
 * ```
 */
export function openBundle(
  bundle: string | Uint8Array,
  root: SigstoreRoot,
  identities?: readonly SigstoreIdentity[],
): OpenedStatement {
  const read = readBundle(bundle);
  const signer = verified(read, root);
  if (identities?.some((each) => isOf(each, signer)) === false) throw wrongIdentity(signer, identities);
  const { payload } = read.content.dsseEnvelope;
  return openPayload({ payload, keyId: `${signer.identity} of ${signer.issuer}` });
}

function readBundle(text: string | Uint8Array): BundleWithDsseEnvelope {
  const value = readJson(text, "invalid-envelope");
  const bundle = guarded("invalid-envelope", `a bundle of type ${BUNDLE_TYPE}`, () => bundleFromJSON(value));
  const fault = (path: string, expected: string) =>
    new StatementError("invalid-envelope", "the bundle does not contain a statement", { path, expected });
  if (bundle.mediaType !== BUNDLE_TYPE) throw fault("/mediaType", BUNDLE_TYPE);
  if (!isBundleWithDsseEnvelope(bundle)) throw fault("/dsseEnvelope", "an envelope");
  if (bundle.content.dsseEnvelope.payloadType !== PAYLOAD_TYPE) throw fault("/dsseEnvelope/payloadType", PAYLOAD_TYPE);
  const { tlogEntries, timestampVerificationData } = bundle.verificationMaterial;
  if (Math.max(tlogEntries.length, timestampVerificationData?.rfc3161Timestamps.length ?? 0) > MAX_WITNESSES) {
    throw fault("/verificationMaterial", `at most ${MAX_WITNESSES} log entries, and as many time stamps`);
  }
  return bundle;
}

type Failure = readonly [code: StatementErrorCode, place: string, message: string, expected: string];

const CERTIFICATE = "/verificationMaterial/certificate";
const ENTRIES = "/verificationMaterial/tlogEntries";
const UNLOGGED: Failure = [
  "not-logged",
  ENTRIES,
  "no log in the trusted root has the statement",
  "an entry, with the proof of a log in the trusted root",
];
const FAILURES: Readonly<Record<VerificationError["code"], Failure>> = {
  NOT_IMPLEMENTED_ERROR: UNLOGGED,
  TLOG_ERROR: UNLOGGED,
  TLOG_INCLUSION_PROOF_ERROR: UNLOGGED,
  TLOG_INCLUSION_PROMISE_ERROR: UNLOGGED,
  TLOG_MISSING_INCLUSION_ERROR: UNLOGGED,
  TLOG_BODY_ERROR: [
    "not-logged",
    ENTRIES,
    "the log entry belongs to another statement",
    "the entry for this statement",
  ],
  TIMESTAMP_ERROR: [
    "not-logged",
    "/verificationMaterial/timestampVerificationData",
    "no authority in the trusted root attests when the statement was signed",
    "a time stamp, or a log entry with its promise",
  ],
  CERTIFICATE_ERROR: [
    "untrusted-certificate",
    CERTIFICATE,
    "the certificate does not belong to the trusted root at the time of signing",
    "a certificate from an authority in the trusted root, which is in a log and was valid then",
  ],
  PUBLIC_KEY_ERROR: ["untrusted-certificate", CERTIFICATE, "the bundle names a key instead of a certificate", "one"],
  SIGNATURE_ERROR: [
    "invalid-signature",
    "/dsseEnvelope/signatures/0/sig",
    "the signature does not belong to this certificate and this statement",
    "the signature of the payload by the key in the certificate",
  ],
};

/**
 * The certificate extension for the issuer. The library also accepts the earlier extension 1.3.6.1.4.1.57264.1.1.
 */
const ISSUER = "1.3.6.1.4.1.57264.1.8";

/** @throws {@link StatementError} if the signer or the time of signing is not proven */
function verified(bundle: BundleWithDsseEnvelope, { verifier }: SigstoreRoot): SigstoreIdentity {
  const { identity: signer } = guarded("invalid-envelope", "a certificate and proofs that can be read", () =>
    verifier.verify(toSignedEntity(bundle)),
  );
  const [identity, issuer] = [signer?.subjectAlternativeName, signer?.extensions?.issuer];
  const isNamed = signer?.oids?.some(({ oid }) => oid?.id.join(".") === ISSUER);
  if (isNamed && identity !== undefined && issuer !== undefined) return { identity, issuer };
  throw new StatementError("wrong-identity", "the certificate names no one", {
    path: CERTIFICATE,
    expected: "an issuer, and an address as subject alternative name",
  });
}

/**
 * Matches a pattern of identities, which has a `*` after the kind of a Git reference. Anywhere else, `*` is an ordinary
 * character.
 */
const BEGINNING = /@refs\/(?:heads|tags)\/[^*]*\*$/;

function isOf({ identity, issuer }: SigstoreIdentity, signer: SigstoreIdentity): boolean {
  if (issuer !== signer.issuer) return false;
  return BEGINNING.test(identity) ? signer.identity.startsWith(identity.slice(0, -1)) : signer.identity === identity;
}

function wrongIdentity(
  { identity, issuer }: SigstoreIdentity,
  identities: readonly SigstoreIdentity[],
): StatementError {
  const isKnown = identities.some((each) => isOf({ ...each, issuer }, { identity, issuer }));
  const message = isKnown
    ? `the signer's identity is from another issuer: ${issuer}`
    : `the signer may not sign for the server: ${identity} of ${issuer}`;
  const expected = identities.map((each) => `${each.identity} of ${each.issuer}`).join(", or ");
  return new StatementError("wrong-identity", message, { path: CERTIFICATE, expected });
}

/** Runs a library function on untrusted text. Any error means that the text cannot be read or is not valid. */
function guarded<T>(code: StatementErrorCode, expected: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof StatementError) throw error;
    if (!(error instanceof VerificationError)) {
      throw new StatementError(code, `this is not ${expected}`, { expected }, error);
    }
    const [reason, path, message, wanted] = FAILURES[error.code];
    throw new StatementError(reason, message, { path, expected: wanted }, error);
  }
}
