import { isSha256Hex } from "@agentprint/canonical-json";

/**
 * The four kinds of thought, in canonical order (§2a).
 *
 * @example
 * ```ts
 * import { THOUGHT_TYPES } from "@agentprint/trail";
 *
 * console.log(THOUGHT_TYPES.join(" | ")); // "plan | analysis | decision | reflection"
 * ```
 */
export const THOUGHT_TYPES: readonly ["plan", "analysis", "decision", "reflection"] = /* @__PURE__ */ Object.freeze([
  "plan",
  "analysis",
  "decision",
  "reflection",
] as const);

/** One of {@link THOUGHT_TYPES} (§2b). */
export type ThoughtType = (typeof THOUGHT_TYPES)[number];

/** The `prev_hash` of the first record of a chain: 64 ASCII zeros (§2c). */
export const ZERO_HASH: string = /* @__PURE__ */ "0".repeat(64);

/** A record as `ThoughtRecordSchema` accepts it: eight strings (§2e). */
export type ThoughtRecord = {
  /** Not empty. */
  id: string;
  type: ThoughtType;
  /** Not empty. */
  task_id: string;
  /** Not empty. */
  agent_id: string;
  content: string;
  /** Not empty. */
  timestamp: string;
  /** 64 UTF-16 units. */
  prev_hash: string;
  /** 64 UTF-16 units. */
  hash: string;
};

/** Why a value is not a record. */
export interface RecordIssue {
  /** The field; `undefined` if the value is not an object. */
  readonly field: keyof ThoughtRecord | undefined;
  readonly message: string;
}

type FieldCheck = (value: unknown) => string | undefined;

/** The check of each field's value, in the order in which `ThoughtRecordSchema` names the fields. */
const FIELD_CHECKS: Readonly<Record<keyof ThoughtRecord, FieldCheck>> = {
  id: nonEmptyIssue,
  type: typeIssue,
  task_id: nonEmptyIssue,
  agent_id: nonEmptyIssue,
  content: stringIssue,
  timestamp: nonEmptyIssue,
  prev_hash: hashIssue,
  hash: hashIssue,
};

/**
 * Returns whether `ThoughtRecordSchema` accepts `value`. It allocates nothing, because it runs for every record of a
 * chain.
 */
export function isRecord(value: unknown): value is ThoughtRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { id, type, task_id, agent_id, content, timestamp, prev_hash, hash } = value as Record<string, unknown>;
  return (
    isNonEmpty(id) &&
    THOUGHT_TYPES.includes(type as ThoughtType) &&
    isNonEmpty(task_id) &&
    isNonEmpty(agent_id) &&
    typeof content === "string" &&
    isNonEmpty(timestamp) &&
    typeof prev_hash === "string" &&
    prev_hash.length === 64 &&
    typeof hash === "string" &&
    hash.length === 64
  );
}

/**
 * Returns a copy of the text in its own memory. A piece that was cut out of a longer text keeps the complete text in
 * memory; here that would be 64 KB of lines for each task.
 */
export function ownText(text: string): string {
  // Joining and cutting again creates a new text; `slice(0)` would return the piece itself.
  return ` ${text}`.slice(1);
}

/**
 * Returns the issues that `ThoughtRecordSchema` has with `value`, in the schema's words and order, without loading zod.
 * An issue for each hash of 64 characters that are not lowercase hex digits, which the schema accepts, comes last.
 */
export function recordIssues(value: unknown): RecordIssue[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ field: undefined, message: wrongType("object", value) }];
  }
  const issues: RecordIssue[] = [];
  for (const [field, check] of Object.entries(FIELD_CHECKS) as [keyof ThoughtRecord, FieldCheck][]) {
    const message = check((value as Record<string, unknown>)[field]);
    if (message !== undefined) issues.push({ field, message });
  }
  for (const field of ["prev_hash", "hash"] as const) {
    const hash = (value as Record<string, unknown>)[field];
    const hasLength = typeof hash === "string" && hash.length === 64;
    if (hasLength && !isSha256Hex(hash)) issues.push({ field, message: "expected 64 lowercase hex digits" });
  }
  return issues;
}

function isNonEmpty(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function stringIssue(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : wrongType("string", value);
}

function nonEmptyIssue(value: unknown): string | undefined {
  return value === "" ? "Too small: expected string to have >=1 characters" : stringIssue(value);
}

function typeIssue(value: unknown): string | undefined {
  if (THOUGHT_TYPES.includes(value as ThoughtType)) return undefined;
  return `Invalid option: expected one of ${THOUGHT_TYPES.map((type) => `"${type}"`).join("|")}`;
}

function hashIssue(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length === 64) return stringIssue(value);
  return `Too ${value.length < 64 ? "small" : "big"}: expected string to have exactly 64 characters`;
}

function wrongType(expected: string, value: unknown): string {
  return `Invalid input: expected ${expected}, received ${nameOfType(value)}`;
}

/**
 * Returns the type of `value` as zod names it in a message: an instance by its class name, a number that is not finite
 * by its value.
 */
function nameOfType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || Object.getPrototypeOf(value) === Object.prototype) return typeof value;
  const maker = (value as { constructor?: { name?: unknown } }).constructor;
  return maker ? String(maker.name) : "object";
}
