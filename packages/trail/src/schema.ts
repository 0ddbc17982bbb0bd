import { canonicalize as canonicalizeWith } from "@agentprint/canonical-json";
import { z } from "zod";
import { hashPayload } from "./hash-payload.ts";
import { type HashedFields, PROFILE, thoughtCanonicalPayload } from "./payload.ts";

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
export const THOUGHT_TYPES: readonly ["plan", "analysis", "decision", "reflection"] = Object.freeze([
  "plan",
  "analysis",
  "decision",
  "reflection",
] as const);

/** One of {@link THOUGHT_TYPES} (§2b). */
export type ThoughtType = (typeof THOUGHT_TYPES)[number];

/** The `prev_hash` of the first record of a chain: 64 ASCII zeros (§2c). */
export const ZERO_HASH: string = "0".repeat(64);

// `.length(64)` as the contract means it, in UTF-16 units: zod counts code points since 4.6.
const hashText = z
  .string()
  .refine((text) => text.length === 64, "expected exactly 64 characters")
  .meta({ minLength: 64, maxLength: 64 });

/**
 * The shape of a record (§2d): eight strings, `prev_hash` and `hash` 64 characters long. It does not check that
 * `hash` is right; `verifyChain` of `@agentprint/trail/chain` does.
 *
 * @throws `ZodError` from `.parse`; `.safeParse` returns it instead.
 */
export const ThoughtRecordSchema: z.ZodObject<
  {
    id: z.ZodString;
    type: z.ZodEnum<z.core.util.ToEnum<ThoughtType>>;
    task_id: z.ZodString;
    agent_id: z.ZodString;
    content: z.ZodString;
    timestamp: z.ZodString;
    prev_hash: z.ZodString;
    hash: z.ZodString;
  },
  z.core.$strip
> = z.object({
  id: z.string().min(1),
  type: z.enum(THOUGHT_TYPES),
  task_id: z.string().min(1),
  agent_id: z.string().min(1),
  content: z.string(),
  timestamp: z.string().min(1),
  prev_hash: hashText,
  hash: hashText,
});

/** A record as {@link ThoughtRecordSchema} accepts it (§2e). */
export type ThoughtRecord = z.infer<typeof ThoughtRecordSchema>;

/**
 * The text that `JSON.stringify` would write, without white space and with every object's keys in UTF-16 code-unit
 * order (§2f, §4).
 *
 * @throws `CanonicalJsonError`, a `TypeError`: `cycle`, `bigint` (the message contains `BigInt`), `opaque-object`
 * (a Map, a RegExp and the like), and `undefined`, `function` or `symbol` where `value` itself is one.
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

/**
 * The 64 lowercase hex digits of SHA-256 over the canonical text of `id`, `type`, `task_id`, `content`, `timestamp`
 * and `prev_hash`. Nothing else of `record` is covered: a corrected `agent_id` leaves the chain whole (§2g, §3).
 *
 * @throws what {@link canonicalize} throws.
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
  return hashPayload(thoughtCanonicalPayload(record));
}
