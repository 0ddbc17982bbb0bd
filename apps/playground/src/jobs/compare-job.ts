import { isJsonObject, parseJson } from "@agentprint/canonical-json";
import { type Outcome, outcomeOf, type Report, worstOutcome } from "@agentprint/findings";
import { addCompatibility, type CapabilityManifest, diffManifests, parseManifest } from "@agentprint/manifest";
import { diffReport } from "@agentprint/manifest/rules";
import { diffLocks, type LockFile, parseLock } from "@agentprint/mcp-lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import type { Source } from "./job.ts";
import { readSource } from "./read-source.ts";
import { type ShownFinding, shownFinding } from "./shown-finding.ts";

/** Two manifests or two locks. */
export interface CompareInput {
  readonly before: Source;
  readonly after: Source;
}

/** The result of a comparison. */
export interface CompareResult {
  readonly kind: "lock" | "manifest";
  readonly outcome: Outcome;
  readonly summary: string;
  /** The first findings; `total` counts all of them. */
  readonly findings: readonly ShownFinding[];
  readonly total: number;
  /** Servers that are in only one of two locks. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/** The error for two documents that cannot be compared. */
export class CompareError extends Error {
  override readonly name = "CompareError";
  readonly code: "invalid-manifest" | "two-kinds";

  constructor(code: CompareError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** The maximum number of findings shown. */
const MAX_FINDINGS = 200;

/**
 * Returns the command's report on two manifests or two locks.
 *
 * @throws {CompareError} two-kinds, invalid-manifest
 * @throws {McpLockError} as `parseLock` does, when a text is not a lock
 * @throws {CanonicalJsonError} as `parseJson` does, when a document is not strict JSON
 */
export async function compareJob(input: CompareInput): Promise<CompareResult> {
  const [before, after] = [await read(input.before, "before"), await read(input.after, "after")];
  if (before.isLock !== after.isLock) {
    throw new CompareError("two-kinds", "expected two manifests or two locks, received one of each");
  }
  return before.isLock
    ? compareLocks(parseLock(before.bytes), parseLock(after.bytes))
    : compareManifests(before, after);
}

interface Read {
  readonly file: "before" | "after";
  readonly bytes: Uint8Array;
  readonly isLock: boolean;
}

async function read(source: Source, file: Read["file"]): Promise<Read> {
  const text = await readSource(source);
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const value = parseJson(bytes);
  return { file, bytes, isLock: isJsonObject(value) && Object.hasOwn(value, "lockVersion") };
}

function compareManifests(before: Read, after: Read): CompareResult {
  const diff = addCompatibility(diffManifests(manifestIn(before), manifestIn(after)));
  const side = ({ file, bytes }: Read) => ({ file, text: bytes });
  return shown("manifest", diffReport(diff, side(before), side(after)));
}

function manifestIn({ file, bytes }: Read): CapabilityManifest {
  const parsed = parseManifest(bytes);
  if (parsed.ok) return parsed.manifest;
  const [issue, ...more] = parsed.issues;
  const place = issue?.line === undefined ? "" : ` at line ${issue.line}, column ${issue.column}`;
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  throw new CompareError(
    "invalid-manifest",
    `${file} is not a manifest: ${issue?.message}${place} (${issue?.code})${rest}`,
  );
}

function compareLocks(before: LockFile, after: LockFile): CompareResult {
  const result = shown("lock", driftToReport(diffLocks(before, after)));
  const missing = (from: LockFile, to: LockFile): string[] => {
    const names = new Set(to.servers.map(({ name }) => name));
    return from.servers.map(({ name }) => name).filter((name) => !names.has(name));
  };
  const [onlyBefore, onlyAfter] = [missing(before, after), missing(after, before)];
  const isOneSided = onlyBefore.length + onlyAfter.length > 0;
  return {
    ...result,
    outcome: worstOutcome([result.outcome, isOneSided ? "drift" : "same"]),
    onlyBefore,
    onlyAfter,
  };
}

function shown(kind: CompareResult["kind"], report: Report): CompareResult {
  const { summary, findings, rules } = report;
  return {
    kind,
    outcome: outcomeOf(report),
    summary,
    findings: findings.slice(0, MAX_FINDINGS).map((finding) => shownFinding(finding, rules)),
    total: findings.length,
    onlyBefore: [],
    onlyAfter: [],
  };
}
