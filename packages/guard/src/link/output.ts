import { canonicalize, locateJson } from "@agentprint/canonical-json";
import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { NumberTexts, RequestId } from "@agentprint/mcp";
import type { Outgoing, Step } from "../step.ts";

/** A number in a canonical text. */
const NUMBER = /-?\d[-+.\deE]*/y;
/** The maximum number of bytes that `locateJson` reads. A server's message is always shorter. */
const MAX_BYTES = 64 * 1024 * 1024;

/** One of the two sides of a connection. */
export type Side = "client" | "server";

/** Facts about a message that the guard writes. */
export interface Written {
  /** The id of the request that waits for the message. */
  readonly because?: RequestId | undefined;
  /** The texts of the message's numbers that a double changes, by pointer. */
  readonly numbers?: NumberTexts | undefined;
}

/** A step that is being built: the messages to write, in response to an incoming message or without one. */
export class Output implements Step {
  /** The action taken on the incoming message. */
  action: Step["action"] = "answer";
  readonly toServer: Outgoing[] = [];
  readonly toClient: Outgoing[] = [];
}

/** Returns the canonical text of a message, with the given texts in place of the numbers at their pointers. */
export function textWithNumbers(value: JsonObject, numbers: NumberTexts): string {
  const text = canonicalize(value);
  const entries = Object.entries(numbers);
  if (entries.length === 0) return text;
  const places = locateJson(
    text,
    entries.map(([pointer]) => pointer),
    { maxDepth: Number.POSITIVE_INFINITY, maxBytes: MAX_BYTES },
  ).map(({ offset }, index) => ({ offset, number: (entries[index] as [string, string])[1] }));
  let [written, end] = ["", 0];
  for (const { offset, number } of places.sort((a, b) => a.offset - b.offset)) {
    NUMBER.lastIndex = offset;
    const [replaced = ""] = NUMBER.exec(text) ?? [];
    written += text.slice(end, offset) + number;
    end = offset + replaced.length;
  }
  return written + text.slice(end);
}
