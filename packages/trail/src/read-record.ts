import { toPointer } from "@agentprint/canonical-json";
import { TrailError } from "./errors.ts";
import { isHash } from "./hex.ts";
import type { Report } from "./link-tracker.ts";
import { THOUGHT_TYPES, type ThoughtRecord, ThoughtRecordSchema } from "./schema.ts";

type Problem = Parameters<Report>[0];

/**
 * `value` where `ThoughtRecordSchema` accepts it. Says what the schema says, without a copy: it is asked a million
 * times, and the schema only for its reasons.
 */
export function asRecord(value: unknown): ThoughtRecord | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { id, type, task_id, agent_id, content, timestamp, prev_hash, hash } = value as Record<
    keyof ThoughtRecord,
    unknown
  >;
  return isText(id) &&
    THOUGHT_TYPES.includes(type as ThoughtRecord["type"]) &&
    isText(task_id) &&
    isText(agent_id) &&
    typeof content === "string" &&
    isText(timestamp) &&
    typeof prev_hash === "string" &&
    prev_hash.length === 64 &&
    typeof hash === "string" &&
    hash.length === 64
    ? (value as ThoughtRecord)
    : undefined;
}

/** Everything that keeps `value` from being a record whose hashes are lowercase hex, one problem a field. */
export function malformations(value: unknown): Problem[] {
  if (value instanceof TrailError) return [fromError(value)];
  const result = ThoughtRecordSchema.safeParse(value);
  const issues = [...(result.success ? [] : result.error.issues), ...hashIssues(value)];
  const problems = new Map<string, Problem>();
  for (const { path, message } of issues) {
    const pointer = toPointer(path as (string | number)[]);
    if (problems.has(pointer)) continue;
    problems.set(pointer, { kind: "malformed", path: pointer, message: `not a record at "${pointer}": ${message}` });
  }
  return [...problems.values()];
}

/** The hash of a value that is no record, where it has one. */
export function hashOf(value: unknown): string | undefined {
  const hash = (value as { hash?: unknown } | null | undefined)?.hash;
  return typeof hash === "string" && isHash(hash) ? hash : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function hashIssues(value: unknown): { path: string[]; message: string }[] {
  const isNoHex = (hash: unknown): boolean => typeof hash === "string" && hash.length === 64 && !isHash(hash);
  return (["prev_hash", "hash"] as const)
    .filter((field) => isNoHex((value as Partial<ThoughtRecord> | null)?.[field]))
    .map((field) => ({ path: [field], message: "expected 64 lowercase hex digits" }));
}

function fromError({ code, message, path, line, column }: TrailError): Problem {
  return {
    kind: code === "truncated-line" ? "truncated" : "malformed",
    message,
    ...(path === undefined ? {} : { path }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
