import { type LockedServer, type LockFile, parseLock } from "@agentprint/mcp-lock";
import { judgeRelease } from "@agentprint/release";
import {
  type AcceptedStatement,
  acceptedOf,
  createVerifier,
  type OpenedStatement,
  openStatement,
  type ProvenStatement,
  proveEnvelope,
  STATEMENT_RULES,
  type StatementFacts,
  type StatementProblem,
  type StatementVerifier,
  statementFindings,
} from "@agentprint/statement";
import type { Source } from "./job.ts";
import { readSource } from "./read-source.ts";
import { type ShownFinding, shownFinding } from "./shown-finding.ts";

/** A statement, the keys that may sign it, and the facts against which it is proven; empty fields are ignored. */
export interface StatementInput {
  readonly statement: Source;
  readonly keys: Source;
  /** The lock of the release. */
  readonly served: Source;
  /** The server's name in the locks; empty if they have only one server. */
  readonly server: string;
  readonly before: Source;
  readonly accepted: Source;
  /** RFC 3339; empty for the current time. */
  readonly at: string;
}

/** The parts of a statement, each of which is proven separately. */
export type StatementPart = "definitions" | "order" | "signature" | "times" | "verdict";

/** Whether a part is proven, refuted, or left open because there was nothing to compare it with. */
export type PartState = "open" | "proven" | "refuted";

/** The contents of a statement with an accepted signature. */
export interface ShownStatement {
  readonly server: string;
  readonly version: string;
  readonly verdict?: { readonly level: string; readonly against: string };
  readonly issued: string;
  readonly expires: string;
  readonly subjects: readonly string[];
  readonly keyId: string;
  readonly digest: string;
}

/** The result of a proof. */
export interface StatementResult {
  readonly outcome: "holds" | "partly" | "refuted";
  readonly parts: Readonly<Record<StatementPart, PartState>>;
  readonly findings: readonly ShownFinding[];
  readonly stated?: ShownStatement;
}

/** The error for locks or a time against which nothing can be proven. */
class FactsError extends Error {
  override readonly name = "FactsError";
  readonly code: "invalid-time" | "unknown-server";

  constructor(code: FactsError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const PARTS: Readonly<Record<Exclude<StatementPart, "signature">, readonly string[]>> = {
  times: ["expired", "issued-later"],
  definitions: ["wrong-subject", "definitions-differ", "lying-alias"],
  verdict: ["lying-verdict", "unproven-verdict"],
  order: ["replayed", "rolled-back", "republished", "unlinked"],
};

/** The maximum number of subjects shown. */
const MAX_SUBJECTS = 20;

/**
 * Verifies a statement part by part, as far as the given locks and the earlier statement allow.
 *
 * @throws {StatementError} as `openStatement` and `createVerifier` do, when a text is not a statement or not a key
 * @throws {McpLockError} as `parseLock` does, when a text is not a lock
 * @throws {FactsError} unknown-server when the server is not in a lock, invalid-time when the time is not valid
 */
export async function statementJob(input: StatementInput): Promise<StatementResult> {
  const keys = keysIn(await textOf(input.keys));
  const envelope = await readSource(input.statement);
  const facts = await factsOf(input, keys);
  const proven = proveEnvelope(envelope, keys, facts);
  const { opened, problems } = proven;
  const name = input.server || (facts?.served.name ?? opened?.statement.predicate.server.name ?? "statement");
  const parts = partsOf(proven, facts);
  const states = new Set(Object.values(parts));
  return {
    outcome: states.has("refuted") ? "refuted" : states.has("open") ? "partly" : "holds",
    parts,
    findings: statementFindings(problems, name, "statement").map((finding) => shownFinding(finding, STATEMENT_RULES)),
    ...(opened && { stated: shownStatement(opened) }),
  };
}

function partsOf({ opened, problems }: ProvenStatement, facts: StatementFacts | undefined): StatementResult["parts"] {
  if (opened === undefined) {
    return { signature: "refuted", times: "open", definitions: "open", verdict: "open", order: "open" };
  }
  const { verdict } = opened.statement.predicate;
  const { served, locked, accepted } = facts ?? {};
  const isChange = served !== undefined && locked !== undefined && judgeRelease(locked, served).level !== "none";
  return {
    signature: "proven",
    times: stateOf("times", facts !== undefined, problems),
    definitions: stateOf("definitions", facts !== undefined, problems),
    verdict: stateOf("verdict", isChange && verdict !== undefined, problems),
    order: stateOf("order", accepted !== undefined, problems),
  };
}

function stateOf(part: keyof typeof PARTS, isCompared: boolean, problems: readonly StatementProblem[]): PartState {
  const found = problems.map(({ rule }) => rule).filter((rule) => PARTS[part].includes(rule.replace("statement/", "")));
  if (found.some((rule) => STATEMENT_RULES[rule].level !== "note")) return "refuted";
  return isCompared && found.length === 0 ? "proven" : "open";
}

function shownStatement({ statement, digest, keyId }: OpenedStatement): ShownStatement {
  const { server, verdict, issued, expires } = statement.predicate;
  return {
    server: server.name,
    version: server.version,
    ...(verdict && { verdict: { level: verdict.level, against: verdict.against.version } }),
    issued,
    expires,
    subjects: statement.subject.slice(0, MAX_SUBJECTS).map(({ name, uri, digest: digests }) => {
      const texts = Object.entries(digests).map(([algorithm, value]) => `${algorithm}:${value}`);
      return `${name ?? uri} ${texts.join(" ")}`;
    }),
    keyId,
    digest,
  };
}

/** Returns the given facts; `undefined` if there is no lock of the release. */
async function factsOf(input: StatementInput, keys: readonly StatementVerifier[]): Promise<StatementFacts | undefined> {
  const [served, locked] = [await entryIn(input.served, input.server), await entryIn(input.before, input.server)];
  if (served === undefined) return undefined;
  const accepted = await acceptedIn(input.accepted, keys);
  return { now: timeOf(input.at), served, ...(locked && { locked }), ...(accepted && { accepted }) };
}

async function acceptedIn(source: Source, keys: readonly StatementVerifier[]): Promise<AcceptedStatement | undefined> {
  return isEmpty(source) ? undefined : acceptedOf(openStatement(await readSource(source), keys));
}

async function entryIn(source: Source, name: string): Promise<LockedServer | undefined> {
  if (isEmpty(source)) return undefined;
  const { servers }: LockFile = parseLock(await readSource(source));
  const [only] = name === "" && servers.length === 1 ? servers : servers.filter((server) => server.name === name);
  if (only !== undefined) return only;
  const names = servers.map((server) => JSON.stringify(server.name)).join(", ");
  throw new FactsError("unknown-server", `expected the name of one of these servers: ${names || "the lock has none"}`);
}

function timeOf(at: string): Date {
  if (at.trim() === "") return new Date();
  const time = new Date(at.trim());
  if (!/^\d{4}-\d\d-\d\dT/.test(at.trim()) || Number.isNaN(time.getTime())) {
    throw new FactsError(
      "invalid-time",
      `expected a time such as 2026-01-31T12:00:00Z, received ${JSON.stringify(at)}`,
    );
  }
  return time;
}

/** Reads keys in PEM, or one key per line. */
function keysIn(text: string): StatementVerifier[] {
  const keys = text.match(/-----BEGIN [^-]*-----[^-]*-----END [^-]*-----|\S+/g) ?? [];
  return keys.map((key) => createVerifier(key));
}

async function textOf(source: Source): Promise<string> {
  const text = await readSource(source);
  return typeof text === "string" ? text : new TextDecoder().decode(text);
}

function isEmpty(source: Source): boolean {
  return typeof source === "string" && source.trim() === "";
}
