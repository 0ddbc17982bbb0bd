import {
  type CanonicalizeOptions,
  canonicalize as canonicalizeWith,
  hashCanonical,
  sha256Hex,
} from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import type { ThoughtRecord, ThoughtType } from "./record.ts";

/** The one canonical text of this package: sorted `JSON.stringify`. */
const PROFILE: CanonicalizeOptions = { profile: "ecmascript" };
/** UTF-16 units. `hashCanonical` hashes longer texts piece by piece, so that memory does not grow with them. */
const MAX_ONE_SHOT_LENGTH = 16 * 1024;

/** The six fields that `computeHash` covers (§3). */
export interface HashedFields {
  id: string;
  type: string;
  task_id: string;
  content: string;
  timestamp: string;
  prev_hash: string;
}

/** The two fields that `computeAuthorCommitment` covers. */
export type AuthorFields = Pick<ThoughtRecord, "agent_id" | "hash">;

/**
 * Returns the text that `JSON.stringify` would write, without white space and with every object's keys in UTF-16
 * code-unit order (§2f, §4).
 *
 * @throws {@link CanonicalJsonError}, a `TypeError`: `cycle`, `bigint` (the message contains `BigInt`) or
 * `opaque-object` (a Map, a RegExp and the like) when `value` contains one, and `undefined`, `function` or `symbol` when
 * `value` itself is one.
 *
 * @example
 * ```ts
 * import { canonicalize } from "@agentprint/trail";
 *
 * console.log(canonicalize({ b: { d: 1, c: 2 }, a: 3 })); // '{"a":3,"b":{"c":2,"d":1}}'
 * ```
 */
export function canonicalize(value: unknown): string {
  return canonicalizeWith(value, PROFILE);
}

/** Returns the plain object that {@link computeHash} hashes: the six covered fields of `record` and no others (§2g). */
export function thoughtCanonicalPayload(record: HashedFields): HashedFields {
  checkArgument("record", record, "object");
  const { id, type, task_id, content, timestamp, prev_hash } = record;
  return { id, type, task_id, content, timestamp, prev_hash };
}

/**
 * Returns the SHA-256 of the canonical text of `id`, `type`, `task_id`, `content`, `timestamp` and `prev_hash`, as 64
 * lowercase hex digits. Nothing else in `record` is covered: correcting `agent_id` leaves the hash unchanged (§2g, §3).
 *
 * @throws {@link CanonicalJsonError} as {@link canonicalize} does.
 *
 * @example
 * ```ts
 * import { computeHash, ZERO_HASH } from "@agentprint/trail";
 *
 * computeHash({ id: "r1", type: "plan", task_id: "t1", content: "c", timestamp: "ts", prev_hash: ZERO_HASH });
 * // "22d1b4af7cb508493d71cf0043647d1e19c99f2244f02c432354e0941e5a6d9d"
 * ```
 */
export function computeHash(record: HashedFields & { type: ThoughtType }): string {
  checkArgument("record", record, "object");
  const payload = thoughtCanonicalPayload(record);
  const text = stringifyShortStrings(payload);
  return text === undefined ? hashCanonical(payload, PROFILE) : sha256Hex(text);
}

/** Returns the payload of {@link computeAuthorCommitment}: the author of the record with this hash. */
export function authorCanonicalPayload(author: AuthorFields): AuthorFields {
  checkArgument("author", author, "object");
  const { agent_id, hash } = author;
  return { agent_id, hash };
}

/**
 * Returns a second digest of a record, which covers `hash` and also `agent_id`, which {@link computeHash} leaves out. A
 * checkpoint over these digests protects authorship, and a reader can check a digest without seeing the content.
 *
 * @returns 64 lowercase hex digits.
 *
 * @example
 * ```ts
 * import { computeAuthorCommitment } from "@agentprint/trail/checkpoint";
 *
 * computeAuthorCommitment({ ...record, agent_id: "a" }) === computeAuthorCommitment({ ...record, agent_id: "b" }); // false
 * ```
 */
export function computeAuthorCommitment(record: AuthorFields): string {
  checkArgument("record", record, "object");
  return hashCanonical(authorCanonicalPayload(record), PROFILE);
}

/**
 * Returns the canonical text of six short strings; `undefined` for any other payload, which `hashCanonical` has to
 * write. This fast path is needed to meet the bench bar "in memory". The names are in canonical order here, and
 * `JSON.stringify` writes strings as `canonicalize` does. A property test compares the two.
 */
function stringifyShortStrings(payload: HashedFields): string | undefined {
  const { content, id, prev_hash, task_id, timestamp, type } = payload;
  return typeof content === "string" &&
    content.length < MAX_ONE_SHOT_LENGTH &&
    typeof id === "string" &&
    typeof prev_hash === "string" &&
    typeof task_id === "string" &&
    typeof timestamp === "string" &&
    typeof type === "string"
    ? JSON.stringify({ content, id, prev_hash, task_id, timestamp, type })
    : undefined;
}
