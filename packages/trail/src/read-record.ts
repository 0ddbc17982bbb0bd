import { toPointer } from "@agentprint/canonical-json";
import { TrailError } from "./errors.ts";
import { isHash } from "./hex.ts";
import type { Report } from "./link-tracker.ts";
import { type ThoughtRecord, ThoughtRecordSchema } from "./schema.ts";

type Reading =
  | { readonly record: ThoughtRecord }
  | { readonly problems: readonly Parameters<Report>[0][]; readonly hash: string | undefined };

/** `value` as a record whose hashes are lowercase hex, or everything that keeps it from being one. */
export function readRecord(value: unknown): Reading {
  if (value instanceof TrailError) return { problems: [fromError(value)], hash: undefined };
  const result = ThoughtRecordSchema.safeParse(value);
  if (result.success && isHash(result.data.prev_hash) && isHash(result.data.hash)) return { record: result.data };
  const issues = result.success ? hashIssues(result.data) : result.error.issues;
  return {
    problems: issues.map(({ path, message }) => {
      const pointer = toPointer(path as (string | number)[]);
      return { kind: "malformed", path: pointer, message: `not a record at "${pointer}": ${message}` };
    }),
    hash: hashOf(value),
  };
}

function hashIssues(record: ThoughtRecord): { path: string[]; message: string }[] {
  return (["prev_hash", "hash"] as const)
    .filter((field) => !isHash(record[field]))
    .map((field) => ({ path: [field], message: "expected 64 lowercase hex digits" }));
}

function hashOf(value: unknown): string | undefined {
  const hash = (value as { hash?: unknown } | null | undefined)?.hash;
  return typeof hash === "string" && isHash(hash) ? hash : undefined;
}

function fromError({ code, message, path, line, column }: TrailError): Parameters<Report>[0] {
  return {
    kind: code === "truncated-line" ? "truncated" : "malformed",
    message,
    ...(path === undefined ? {} : { path }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
