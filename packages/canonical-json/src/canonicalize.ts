import { DEFAULT_MAX_DEPTH, PLAIN, type ResolvedOptions } from "./key-order.ts";
import { type CanonicalizeOptions, resolveOptions } from "./options.ts";
import type { ByteSink } from "./writer/byte-buffer.ts";
import { Writer } from "./writer/writer.ts";

let idle: Writer | undefined;

/**
 * Writes a value and reads the requested form from the writer. One writer serves all calls; if a getter or `toJSON`
 * calls this package again, the inner call gets its own writer.
 *
 * @param sink - Takes the bytes whenever the writer's buffer is full.
 */
export function write<T>(
  value: unknown,
  options: ResolvedOptions,
  sink: ByteSink | undefined,
  take: (writer: Writer) => T,
): T {
  const writer = idle ?? new Writer();
  idle = undefined;
  try {
    writer.start(options, sink);
    writer.root(value);
    return take(writer);
  } finally {
    writer.reset();
    idle = writer;
  }
}

/**
 * Returns a value's canonical JSON text, which has no white space, sorted keys, and one spelling for every string and
 * number.
 *
 * @param value - Any JavaScript value; see `profile` for what is rejected.
 * @param options - Profile (default `rfc8785`), key order (default `code-unit`) and depth limit.
 * @returns The text, which is the same for equal values on every machine.
 * @throws {@link CanonicalJsonError} `bigint`, `cycle`, `function`, `lone-surrogate`, `non-finite`, `opaque-object`, `symbol`,
 * `too-deep`, `undefined` when the value has no canonical text in the profile.
 * @throws {@link CanonicalJsonError} `unreadable` when a getter, a proxy or `toJSON` throws: see `cause`.
 * @throws {@link CanonicalJsonError} `invalid-option` when an option is unknown or has an unknown value.
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
  return write(value, resolveOptions(options), undefined, toText);
}

/**
 * Returns the text that {@link canonicalize} writes without options, or only with `maxDepth`. This function loads a
 * kilobyte less, because it contains no code that checks or follows options, or that speeds up objects with hundreds of
 * members.
 *
 * @param value - As for `canonicalize`.
 * @param maxDepth - The deepest accepted nesting of arrays and objects. Default 1,000,000.
 * @throws {@link CanonicalJsonError} as {@link canonicalize} does in the `rfc8785` profile.
 * @example
 * ```ts
 * import { canonicalText } from "@agentprint/canonical-json";
 *
 * canonicalText({ b: 1, a: 2 }); // '{"a":2,"b":1}'
 * ```
 */
export function canonicalText(value: unknown, maxDepth: number = DEFAULT_MAX_DEPTH): string {
  return write(value, maxDepth === DEFAULT_MAX_DEPTH ? PLAIN : { ...PLAIN, maxDepth }, undefined, toText);
}

function toText({ out }: Writer): string {
  return out.toText();
}

/**
 * Returns the text of {@link canonicalize} as UTF-8 bytes, for hashing or signing.
 *
 * @param value - As for `canonicalize`.
 * @param options - As for `canonicalize`.
 * @returns A fresh `Uint8Array`.
 * @throws {@link CanonicalJsonError} as {@link canonicalize} does.
 * @example
 * ```ts
 * import { canonicalizeToBytes } from "@agentprint/canonical-json";
 *
 * canonicalizeToBytes("é").length; // 4: two quotes and two bytes
 * ```
 */
export function canonicalizeToBytes(value: unknown, options?: CanonicalizeOptions): Uint8Array {
  return write(value, resolveOptions(options), undefined, (writer) => new Uint8Array(writer.out.peek()));
}
