import { isUtf8, toUtf8 } from "#platform";
import { TextRewriter } from "./accelerators/text-rewriter.ts";
import type { CanonicalizeOptions } from "./options.ts";
import { type ParseJsonOptions, resolveLimits } from "./parse/limits.ts";

let idle: TextRewriter | undefined;

/** Calls a function with a rewriter, whose output is valid only during the call. One rewriter serves all calls. */
export function withRewriter<T>(run: (rewriter: TextRewriter) => T): T {
  const rewriter = idle ?? new TextRewriter();
  idle = undefined;
  try {
    return run(rewriter);
  } finally {
    rewriter.reset();
    idle = rewriter;
  }
}

/**
 * Passes the canonical text of strict JSON text to `take`, as bytes that are valid only during the call, and returns
 * its result; `undefined` if the plain reader has to decide.
 */
export function rewriteText<T>(
  text: string | Uint8Array,
  options: CanonicalizeOptions & ParseJsonOptions,
  take: (bytes: Uint8Array, isUnchanged: boolean) => T,
): T | undefined {
  const { maxBytes, maxDepth, maxNumber, exactNumbers } = resolveLimits(options);
  const { profile = "rfc8785", keyOrder = "code-unit", tolerate } = options;
  const isKnown = (profile === "rfc8785" || profile === "ecmascript") && keyOrder === "code-unit";
  if (!isKnown || exactNumbers || tolerate !== undefined) return undefined;
  const bytes = bytesOf(text, maxBytes);
  if (bytes === undefined) return undefined;
  return withRewriter((rewriter) => {
    const rewritten = rewriter.rewrite(bytes, maxDepth, maxNumber);
    return rewritten && take(rewritten, rewritten === bytes);
  });
}

/** Returns well-formed UTF-8 of at most `maxBytes` that no other thread can change; `undefined` for any other input. */
function bytesOf(text: string | Uint8Array, maxBytes: number): Uint8Array | undefined {
  if (typeof text === "string") {
    const bytes = text.length <= maxBytes && text.isWellFormed() ? toUtf8(text) : undefined;
    return bytes && bytes.length <= maxBytes ? bytes : undefined;
  }
  const isOwn = text instanceof Uint8Array && text.buffer instanceof ArrayBuffer && text.byteLength <= maxBytes;
  return isOwn && isUtf8(text) ? text : undefined;
}
