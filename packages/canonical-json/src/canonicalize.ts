import type { CanonicalizeOptions } from "./options.ts";
import type { Purpose } from "./writer/byte-buffer.ts";
import { CanonicalPart } from "./writer/canonical-part.ts";
import { Writer } from "./writer/writer.ts";

let idle: Writer | undefined;

/** One writer serves all calls; a getter or `toJSON` that calls back in gets one of its own. */
function write<T>(
  value: unknown,
  options: CanonicalizeOptions | undefined,
  purpose: Purpose,
  take: (writer: Writer) => T,
): T {
  const writer = idle ?? new Writer();
  idle = undefined;
  try {
    writer.start(options, purpose);
    writer.root(value);
    return take(writer);
  } finally {
    writer.reset();
    idle = writer;
  }
}

/**
 * The canonical JSON text of a value: no white space, keys sorted, one spelling for every string and number.
 *
 * @param value - Any JavaScript value; see `profile` for what is rejected.
 * @param options - Profile (default `rfc8785`), key order (default `code-unit`), depth limit.
 * @returns The text; equal values give equal texts on every machine.
 * @throws {CanonicalJsonError} `bigint`, `cycle`, `function`, `lone-surrogate`, `non-finite`, `opaque-object`, `symbol`,
 * `too-deep`, `undefined`, `unreadable` (a getter, proxy or `toJSON` threw: see `cause`) or `invalid-option`.
 * @see RFC 8785 §3.2; ECMA-262 `JSON.stringify` for the `ecmascript` profile.
 * @example
 * ```ts
 * import { canonicalize } from "@agentprint/canonical-json";
 *
 * canonicalize({ b: [1.0, "€"], a: undefined }); // '{"b":[1,"€"]}'
 * canonicalize({ n: Number.NaN }, { profile: "ecmascript" }); // '{"n":null}'
 * ```
 */
export function canonicalize(value: unknown, options?: CanonicalizeOptions): string {
  return write(value, options, "text", (writer) => writer.out.toText());
}

/**
 * The UTF-8 bytes of {@link canonicalize}: what is hashed or signed.
 *
 * @param value - As for `canonicalize`.
 * @param options - As for `canonicalize`.
 * @returns A fresh `Uint8Array`.
 * @throws {CanonicalJsonError} As `canonicalize`.
 * @example
 * ```ts
 * import { canonicalizeToBytes } from "@agentprint/canonical-json";
 *
 * canonicalizeToBytes("é").length; // 4: two quotes and two bytes
 * ```
 */
export function canonicalizeToBytes(value: unknown, options?: CanonicalizeOptions): Uint8Array {
  return write(value, options, "bytes", (writer) => writer.out.toBytes());
}

/**
 * SHA-256 of {@link canonicalizeToBytes} as 64 lowercase hex digits. A large value is hashed as it is written, so
 * memory does not grow with it.
 *
 * @param value - As for `canonicalize`.
 * @param options - As for `canonicalize`.
 * @returns 64 lowercase hex digits.
 * @throws {CanonicalJsonError} As `canonicalize`.
 * @example
 * ```ts
 * import { hashCanonical } from "@agentprint/canonical-json";
 *
 * hashCanonical({ b: 1, a: 2 }) === hashCanonical({ a: 2, b: 1 }); // true
 * ```
 */
export function hashCanonical(value: unknown, options?: CanonicalizeOptions): string {
  return write(value, options, "digest", (writer) => writer.out.toSha256());
}

/**
 * Canonicalizes a value once, to stand in larger values that are canonicalized or hashed many times: there its text is
 * written as it is.
 *
 * @param value - As for `canonicalize`; it must not change afterwards, which freezing it ensures.
 * @param options - As for `canonicalize`. What the part stands in must have the same profile and key order.
 * @returns A part, whose `toJSON()` is the value.
 * @throws {CanonicalJsonError} As `canonicalize`; and `canonicalize` of what it stands in throws `invalid-option` where
 * the profile or the key order is another.
 * @example
 * ```ts
 * import { canonicalize, precanonicalize } from "@agentprint/canonical-json";
 *
 * const schema = precanonicalize({ type: "object", properties: {} });
 * canonicalize({ name: "ping", schema }); // '{"name":"ping","schema":{"properties":{},"type":"object"}}'
 * ```
 */
export function precanonicalize(value: unknown, options?: CanonicalizeOptions): CanonicalPart {
  return write(value, options, "text", (writer) => new CanonicalPart(value, writer.toPart()));
}
