import { checkArgument } from "../check-argument.ts";
import { createContentHashService } from "../content-hash-service.ts";
import { ContentHashError } from "../errors.ts";
import { readMembers } from "./read-members.ts";
import { type CodeHashNormalizedResult, fail, type Metadata, succeed } from "./result.ts";

/** Options for running the tool. */
export interface CodeHashNormalizedOptions {
  /** Computes the hash, and returns it or a promise of it. Default: a service of level `whitespace`. */
  readonly service?: { computeTextHash(content: string): string | PromiseLike<string> } | undefined;
  /** When it is aborted, the call ends with `CANCELLED`, even while the service is still computing the hash. */
  readonly signal?: AbortSignal | undefined;
  /** The maximum length of the content in UTF-8 bytes, a whole number. Default 8 MiB. */
  readonly maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
/** JSON may write one byte of content with six characters, `\u0061`. */
const MAX_CHARACTERS_PER_BYTE = 6;

/**
 * Runs `code_hash_normalized` on the arguments that a model wrote. It never rejects: an error is a result with its code.
 *
 * Specification: 2.1, 4, 6.
 *
 * @example
 * ```ts
 * import { executeCodeHashNormalized } from "@agentprint/content-hash";
 *
 * const result = await executeCodeHashNormalized('{"content":"a\\r\\n b","label":"pre-patch"}');
 * console.log(result.success, result.contentLength, result.label); // true 5 pre-patch
 * ```
 */
export async function executeCodeHashNormalized(
  argumentsJson: string | null,
  options: CodeHashNormalizedOptions = {},
): Promise<CodeHashNormalizedResult> {
  checkArgument("options", options, "object");
  const { service = createContentHashService(), signal, maxBytes = DEFAULT_MAX_BYTES } = options;
  if (signal?.aborted) return fail("CANCELLED", "code_hash_normalized execution was cancelled before processing.");
  if (argumentsJson === null || argumentsJson === undefined || isBlank(argumentsJson)) {
    return fail("MISSING_ARGUMENTS", "code_hash_normalized requires a non-empty JSON arguments payload.");
  }
  const parsed = typeof argumentsJson === "string" ? parseArguments(argumentsJson) : undefined;
  if (parsed === undefined) {
    return fail("DESERIALIZATION_ERROR", "Unable to deserialize code_hash_normalized arguments.");
  }
  const { contentJson = "null" } = parsed;
  if (contentJson === "null") {
    const message =
      "code_hash_normalized requires a 'content' field. The field may be an empty string but it must be present.";
    return fail("MISSING_CONTENT", message, parsed);
  }
  if (!contentJson.startsWith('"')) {
    const message = `code_hash_normalized requires 'content' to be a string; received ${kindOf(contentJson)}.`;
    return fail("INVALID_CONTENT", message, parsed);
  }
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    const received = typeof maxBytes === "number" ? maxBytes : typeof maxBytes;
    const message = `code_hash_normalized expected maxBytes to be a whole number; received ${received}.`;
    return fail("UNEXPECTED_ERROR", message, parsed);
  }
  // A text that is certainly too long is not even parsed.
  const content =
    contentJson.length <= maxBytes * MAX_CHARACTERS_PER_BYTE + 2 ? (JSON.parse(contentJson) as string) : null;
  const contentLength = content === null ? Number.POSITIVE_INFINITY : utf8Length(content);
  if (content === null || contentLength > maxBytes) {
    const message = `code_hash_normalized accepts at most ${maxBytes} bytes of content.`;
    return fail("CONTENT_TOO_LARGE", message, parsed);
  }
  try {
    const hash: unknown = await untilAborted(service.computeTextHash(content), signal);
    if (typeof hash !== "string") throw new TypeError("the service returned no text");
    return succeed(hash, contentLength, parsed);
  } catch (error) {
    if (signal?.aborted) return fail("CANCELLED", "code_hash_normalized execution was cancelled.", parsed);
    if (error instanceof ContentHashError && error.code === "MALFORMED_TEXT") {
      return fail("MALFORMED_TEXT", error.message, parsed);
    }
    return fail("UNEXPECTED_ERROR", "code_hash_normalized failed to process arguments.", parsed);
  }
}

/** Waits for a service's answer. Rejects when the signal is aborted before the answer arrives. */
async function untilAborted(answer: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined || typeof answer === "string") return answer;
  signal.throwIfAborted();
  const waiting = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: waiting.signal });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    waiting.abort();
  }
}

function isBlank(text: string): boolean {
  return typeof text === "string" && /^\p{White_Space}*$/u.test(text);
}

/** Returns the type of a JSON text that is not a string, for use in a message. */
function kindOf(json: string): string {
  if (json.startsWith("[")) return "an array";
  if (json.startsWith("{")) return "object";
  return json === "true" || json === "false" ? "boolean" : "number";
}

/** Returns the number of UTF-8 bytes; a lone surrogate counts as the three bytes of U+FFFD. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      // A pair has four bytes for its two units.
      if (next >= 0xdc00 && next <= 0xdfff) index++;
    }
  }
  return length;
}

const NAMES: ReadonlySet<string> = new Set(["content", "docpath", "label"]);

/** The arguments as they were sent. */
interface ToolArguments extends Metadata {
  /** The content as JSON; `undefined` if there is none. It is not parsed yet, because it may be too large. */
  readonly contentJson: string | undefined;
}

/**
 * Reads the arguments, or returns `undefined` if they are not an object with usable members. The case of names does not
 * matter, and of equal names, the last one counts, as in the original. `null` stands for no arguments. Other members
 * are ignored.
 */
function parseArguments(argumentsJson: string): ToolArguments | undefined {
  const members = readMembers(argumentsJson, NAMES);
  if (members === undefined) return undefined;
  const docPath = toText(members.get("docpath"));
  const label = toText(members.get("label"));
  if (docPath === undefined || label === undefined) return undefined;
  return { contentJson: members.get("content"), docPath, label };
}

/** Returns metadata as text; `undefined` for an array or an object. */
function toText(json = "null"): string | null | undefined {
  if (json === "null") return null;
  return json.startsWith("[") || json.startsWith("{") ? undefined : String(JSON.parse(json));
}
