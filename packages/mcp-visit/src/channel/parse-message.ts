import {
  CanonicalJsonError,
  escapeText,
  type JsonObject,
  type JsonValue,
  parseJson,
  sliceWithoutSplittingSurrogates,
  type Tolerable,
} from "@agentprint/canonical-json";
import {
  isRpcMessage,
  MAX_MESSAGE_BYTES,
  NumberCollector,
  type NumberTexts,
  numbersByPart,
  type RpcMessage,
} from "@agentprint/mcp";
import { VisitError } from "../errors.ts";
import { MAX_MESSAGE_QUOTED } from "../limits.ts";

/** The original texts of the numbers in results that would change when read as doubles. */
const numbers = new WeakMap<object, NumberTexts>();

const NONE: NumberTexts = Object.freeze({});

/**
 * Returns the original texts of the numbers in a result that would change when read as doubles, by pointer in the
 * result.
 */
export function numbersOf(result: JsonObject): NumberTexts {
  return numbers.get(result) ?? NONE;
}

/** Stores the number texts of an answer's result; `texts` holds those of the entire message. */
function keepNumbers(message: RpcMessage, texts: NumberTexts): void {
  if (!("result" in message)) return;
  const own = numbersByPart(texts, 1).get("/result");
  if (own) numbers.set(message.result, own);
}

/** Parses an answer as strict JSON; nothing is repaired, so a duplicate key or a lone surrogate is an error. */
function parseAnswer(text: string | Uint8Array, found: NumberCollector): JsonValue {
  const tolerate = (number: Tolerable): boolean => found.take(number);
  try {
    return parseJson(text, { maxBytes: MAX_MESSAGE_BYTES, exactNumbers: true, tolerate });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    if (error.code === "too-large") {
      throw new VisitError("server-limit", `the server sent a message of more than ${MAX_MESSAGE_BYTES} bytes`, {
        expected: `at most ${MAX_MESSAGE_BYTES} bytes in one message`,
      });
    }
    throw invalidAnswer(text, `${error.message} (${error.code})`);
  }
}

/** Reads one JSON-RPC message, and returns the parsed value itself. */
export function parseMessage(text: string | Uint8Array): RpcMessage {
  const found = new NumberCollector();
  const value = parseAnswer(text, found);
  if (!isRpcMessage(value)) throw invalidAnswer(text, "not a JSON-RPC 2.0 request, notification or response");
  keepNumbers(value, found.texts);
  return value;
}

/** Reads the JSON body of an HTTP response: one message, or a batch, which version 2025-03-26 allows. */
export function parseMessages(text: Uint8Array): readonly RpcMessage[] {
  const found = new NumberCollector();
  const value = parseAnswer(text, found);
  const messages: unknown[] = Array.isArray(value) ? value : [value];
  if (!messages.every(isRpcMessage)) {
    throw invalidAnswer(text, "not a JSON-RPC 2.0 request, notification or response");
  }
  if (!Array.isArray(value)) keepNumbers(messages[0] as RpcMessage, found.texts);
  else {
    const parts = numbersByPart(found.texts, 1);
    for (const [index, message] of messages.entries()) keepNumbers(message, parts.get(`/${index}`) ?? NONE);
  }
  return messages;
}

function invalidAnswer(text: string | Uint8Array, reason: string): VisitError {
  const start =
    typeof text === "string"
      ? sliceWithoutSplittingSurrogates(text, 0, MAX_MESSAGE_QUOTED)
      : Buffer.from(text.subarray(0, MAX_MESSAGE_QUOTED)).toString();
  return new VisitError("server-garbage", `the server sent something that is not a strict JSON message: ${reason}`, {
    where: `the message that begins ${escapeText(JSON.stringify(start))}`,
    expected: "only JSON-RPC 2.0 messages in strict JSON (a stdio server logs to stderr, never to stdout)",
    fix: "start the server directly, without a wrapper that prints to stdout, or report it to its author",
  });
}
