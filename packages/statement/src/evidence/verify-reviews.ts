import { CanonicalJsonError, isJsonObject, type JsonValue, parseJson, sha256Hex } from "@agentprint/canonical-json";
import { type LockedServer, type LockFile, McpLockError, parseLock } from "@agentprint/mcp-lock";
import { isAttested, openAttestation } from "../attestation.ts";
import { isBundle, readBundled } from "../envelope.ts";
import { StatementError } from "../errors.ts";
import { createVerifier, type StatementVerifier } from "../keys.ts";
import { openStatement } from "../open-statement.ts";
import { type OpenedStatement, SET_HASH, type SigstoreIdentity, type Statement } from "../statement.ts";
import type { EvidencePredicate } from "./evidence.ts";
import type { PartBytes, ReportProblem } from "./problem.ts";

/**
 * Opens a Sigstore bundle that one of the identities signed, as `openBundle` of `@agentprint/statement/sigstore` does
 * with a root.
 */
export type OpenBundle = (bundle: Uint8Array, identities: readonly SigstoreIdentity[]) => OpenedStatement;

/** A server's authors, as a configuration lists them. */
interface ListedAuthors {
  readonly keys: readonly StatementVerifier[];
  readonly identities: readonly SigstoreIdentity[];
}

/** The permitted signers, as a configuration lists them. */
interface ListedSigners {
  readonly reviewers: readonly StatementVerifier[];
  /** By server name. */
  readonly authors: ReadonlyMap<string, ListedAuthors>;
}

const NO_AUTHORS: ListedAuthors = { keys: [], identities: [] };
const NO_SIGNERS: ListedSigners = { reviewers: [], authors: new Map() };

/** A bundle's parts, and the function that opens parts signed with Sigstore. */
interface ReviewSurroundings {
  readonly parts: PartBytes;
  readonly openBundle: OpenBundle | undefined;
}

/** Reports errors in the lock, the configuration, the attestations and the authors' statements. */
export function verifyReviews(
  predicate: EvidencePredicate,
  { parts, openBundle }: ReviewSurroundings,
  report: ReportProblem,
): void {
  const lock = lockOf(predicate, parts, report);
  const signers = signersOf(predicate, parts, report);
  if (lock === undefined || signers === undefined) return;
  for (const name of predicate.attestations) verifyAttestation(name, parts(name), { lock, signers }, report);
  for (const { server, part } of predicate.statements) {
    const authors = signers.authors.get(server) ?? NO_AUTHORS;
    verifyStatement({ server, part, open: () => openPart(parts(part), authors, openBundle) }, lock, report);
  }
  const stated = new Set(predicate.statements.map(({ server }) => server));
  for (const { server } of lock.statements ?? []) {
    if (!stated.has(server)) {
      report(
        "evidence/not-verified",
        predicate.lock,
        `the lock accepted a statement about ${server} that is missing here`,
      );
    }
  }
}

function lockOf({ lock }: EvidencePredicate, parts: PartBytes, report: ReportProblem): LockFile | undefined {
  try {
    return parseLock(parts(lock));
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    report("evidence/lock-invalid", lock, error.message);
    return undefined;
  }
}

function signersOf(
  { configuration }: EvidencePredicate,
  parts: PartBytes,
  report: ReportProblem,
): ListedSigners | undefined {
  if (configuration === undefined) return NO_SIGNERS;
  try {
    const value = parseJson(parts(configuration));
    const { reviewers = {}, statements = {} } = membersOf(value);
    return {
      reviewers: Object.values(membersOf(reviewers)).flatMap(verifiersOf),
      authors: new Map(
        Object.entries(membersOf(statements)).map(([server, rule]) => {
          const { keys = [], sigstore } = membersOf(rule);
          return [server, { keys: verifiersOf(keys), identities: identitiesOf(sigstore) }];
        }),
      ),
    };
  } catch (error) {
    if (!(error instanceof StatementError || error instanceof CanonicalJsonError)) throw error;
    report("evidence/configuration-invalid", configuration, error.message);
    return undefined;
  }
}

function membersOf(value: JsonValue): Readonly<Record<string, JsonValue>> {
  if (isJsonObject(value)) return value;
  throw new StatementError("invalid-key", "this is not an object of keys", { expected: "an object" });
}

function verifiersOf(keys: JsonValue): StatementVerifier[] {
  if (!Array.isArray(keys))
    throw new StatementError("invalid-key", "this is not a list of keys", { expected: "a list" });
  return keys.map((key) => createVerifier(typeof key === "string" ? key : ""));
}

/** Returns the identities that can be compared; no others can sign. */
function identitiesOf(sigstore: JsonValue | undefined): SigstoreIdentity[] {
  const { identities } = isJsonObject(sigstore) ? sigstore : {};
  if (!Array.isArray(identities)) return [];
  return identities.flatMap((each) => {
    const { identity, issuer } = isJsonObject(each) ? each : {};
    return typeof identity === "string" && typeof issuer === "string" ? [{ identity, issuer }] : [];
  });
}

function verifyAttestation(
  part: string,
  bytes: Uint8Array,
  { lock, signers }: { readonly lock: LockFile; readonly signers: ListedSigners },
  report: ReportProblem,
): void {
  try {
    const { attestation } = openAttestation(bytes, signers.reviewers);
    if (lock.servers.some((entry) => isAttested(attestation, entry))) return;
    const [entry] = attestation.subject;
    report("evidence/earlier-entry", part, `the attestation is for another entry of ${entry?.name}`);
  } catch (error) {
    reportOpening(error, "evidence/attestation-invalid", part, report);
  }
}

/** The statement in a part, or only its digest and the reason why its signer is not proven. */
type OpenedPart =
  | { readonly digest: string; readonly statement: Statement }
  | { readonly digest: string; readonly undecided: string };

/** @throws {@link StatementError} if the part is not a statement, or is not the signed one */
function openPart(
  bytes: Uint8Array,
  { keys, identities }: ListedAuthors,
  openBundle: OpenBundle | undefined,
): OpenedPart {
  if (!isBundle(bytes)) return openStatement(bytes, keys);
  const digest = sha256Hex(readBundled(bytes).payload);
  if (openBundle === undefined) {
    return { digest, undecided: "no Sigstore trusted root was given: nothing proves who signed it" };
  }
  if (identities.length > 0) return openBundle(bytes, identities);
  return { digest, undecided: "the configuration lists no identity that may sign it with Sigstore" };
}

function verifyStatement(
  { server, part, open }: { readonly server: string; readonly part: string; readonly open: () => OpenedPart },
  lock: LockFile,
  report: ReportProblem,
): void {
  try {
    const opened = open();
    const accepted = lock.statements?.find((each) => each.server === server);
    if (accepted === undefined || accepted.sha256 !== opened.digest) {
      report("evidence/statement-invalid", part, `the lock did not accept this statement about ${server}`);
    }
    if ("undecided" in opened) {
      report("evidence/not-verified", part, opened.undecided);
      return;
    }
    const stated = new Set(opened.statement.subject.map((subject) => subject.digest[SET_HASH]));
    const entry = lock.servers.find(({ name }) => name === server);
    if (entry === undefined || !isStated(entry, stated)) {
      report("evidence/statement-invalid", part, `the statement is not about the entry of ${server}`);
    }
  } catch (error) {
    reportOpening(error, "evidence/statement-invalid", part, report);
  }
}

function isStated({ setHashes }: LockedServer, stated: ReadonlySet<string | undefined>): boolean {
  return setHashes.every(({ tools }) => stated.has(tools));
}

/** Reports that a part could not be opened. A signature by a key outside the configuration proves nothing. */
function reportOpening(
  error: unknown,
  rule: "evidence/attestation-invalid" | "evidence/statement-invalid",
  part: string,
  report: ReportProblem,
): void {
  if (!(error instanceof StatementError)) throw error;
  const isUnknown = error.code === "wrong-key";
  report(
    isUnknown ? "evidence/not-verified" : rule,
    part,
    isUnknown ? "none of the keys that the configuration lists signed it" : error.message,
  );
}
