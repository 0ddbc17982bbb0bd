import { CanonicalJsonError, isJsonObject, type JsonValue, parseJson } from "@agentprint/canonical-json";
import { type LockedServer, type LockFile, McpLockError, parseLock } from "@agentprint/mcp-lock";
import { isAttested, openAttestation } from "../attestation.ts";
import { StatementError } from "../errors.ts";
import { createVerifier, type StatementVerifier } from "../keys.ts";
import { openStatement } from "../open-statement.ts";
import { SET_HASH } from "../statement.ts";
import type { EvidencePredicate } from "./evidence.ts";
import type { PartBytes, ReportProblem } from "./problem.ts";

/** The keys that a configuration lists. */
interface ListedKeys {
  readonly reviewers: readonly StatementVerifier[];
  /** The keys of authors by the names of their servers. */
  readonly authors: ReadonlyMap<string, readonly StatementVerifier[]>;
}

const NO_KEYS: ListedKeys = { reviewers: [], authors: new Map() };

/** Reports what is wrong with the lock, the configuration, the attestations and the statements of authors. */
export function verifyReviews(predicate: EvidencePredicate, parts: PartBytes, report: ReportProblem): void {
  const lock = lockOf(predicate, parts, report);
  const keys = keysOf(predicate, parts, report);
  if (lock === undefined || keys === undefined) return;
  for (const name of predicate.attestations) verifyAttestation(name, parts(name), { lock, keys }, report);
  for (const { server, part } of predicate.statements) {
    verifyStatement({ server, part, bytes: parts(part) }, { lock, keys }, report);
  }
  const stated = new Set(predicate.statements.map(({ server }) => server));
  for (const { server } of lock.statements ?? []) {
    if (!stated.has(server)) {
      report("evidence/not-verified", predicate.lock, `the lock accepted a statement about ${server} that is not here`);
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

function keysOf({ configuration }: EvidencePredicate, parts: PartBytes, report: ReportProblem): ListedKeys | undefined {
  if (configuration === undefined) return NO_KEYS;
  try {
    const value = parseJson(parts(configuration));
    const { reviewers = {}, statements = {} } = membersOf(value);
    return {
      reviewers: Object.values(membersOf(reviewers)).flatMap(verifiersOf),
      authors: new Map(
        Object.entries(membersOf(statements)).map(([server, rule]) => {
          const { keys = [] } = membersOf(rule);
          return [server, verifiersOf(keys)];
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
  throw new StatementError("invalid-key", "this is no object of keys", { expected: "an object" });
}

function verifiersOf(keys: JsonValue): StatementVerifier[] {
  if (!Array.isArray(keys)) throw new StatementError("invalid-key", "this is no list of keys", { expected: "a list" });
  return keys.map((key) => createVerifier(typeof key === "string" ? key : ""));
}

/** The lock and the keys of a bundle. */
interface Reviewed {
  readonly lock: LockFile;
  readonly keys: ListedKeys;
}

function verifyAttestation(part: string, bytes: Uint8Array, { lock, keys }: Reviewed, report: ReportProblem): void {
  try {
    const { attestation } = openAttestation(bytes, keys.reviewers);
    if (lock.servers.some((entry) => isAttested(attestation, entry))) return;
    const [entry] = attestation.subject;
    report("evidence/earlier-entry", part, `the attestation is of another entry of ${entry?.name}`);
  } catch (error) {
    reportOpening(error, "evidence/attestation-invalid", part, report);
  }
}

function verifyStatement(
  { server, part, bytes }: { readonly server: string; readonly part: string; readonly bytes: Uint8Array },
  { lock, keys }: Reviewed,
  report: ReportProblem,
): void {
  try {
    const { statement, digest } = openStatement(bytes, keys.authors.get(server) ?? []);
    const accepted = lock.statements?.find((each) => each.server === server);
    if (accepted === undefined || accepted.sha256 !== digest) {
      report("evidence/statement-invalid", part, `the lock did not accept this statement about ${server}`);
    }
    const stated = new Set(statement.subject.map((subject) => subject.digest[SET_HASH]));
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

/** A signature of a key that the configuration does not list decides nothing. */
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
    isUnknown ? "no key that the configuration lists signed it" : error.message,
  );
}
