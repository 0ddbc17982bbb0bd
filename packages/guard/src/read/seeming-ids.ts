import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import type { JsonValue } from "@agentprint/canonical-json/json-value";
import { isUsableId, type RequestId } from "@agentprint/mcp";
import { checkArgument } from "../check-argument.ts";

/** Returns the ids in a message, or in the messages of a batch. */
export function idsIn(value: JsonValue): RequestId[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((each) => {
    const id = typeof each === "object" && each !== null && !Array.isArray(each) ? each["id"] : undefined;
    return isUsableId(id) ? [id] : [];
  });
}

/**
 * Returns the ids that an unreadable message seems to have, because requests that wait under these ids receive no other
 * answer.
 *
 * @param message A string, or UTF-8 bytes. In a long message that is not strict JSON, only the beginning is searched.
 * @example
 * ```ts
 * import { seemingIds } from "@agentprint/guard";
 *
 * console.log(seemingIds('{"jsonrpc":"2.0","id":7,"id":7}')); // [ 7 ]
 * ```
 */
export function seemingIds(message: string | Uint8Array): RequestId[] {
  if (typeof message !== "string") checkArgument("message", message, "bytes");
  const text = typeof message === "string" ? message : new TextDecoder().decode(message.subarray(0, MAX_SEARCHED));
  try {
    return idsIn(parseJson(text, { tolerate: () => true }));
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    const [, id] = SEEMING_ID.exec(text.slice(0, MAX_SEARCHED)) ?? [];
    if (id === undefined) return [];
    return [id.startsWith('"') ? id.slice(1, -1) : Number(id)].filter(isUsableId);
  }
}

const SEEMING_ID = /"id"\s{0,16}:\s{0,16}("[^"\\]{0,200}"|-?[1-9]\d{0,15}|0)/;
/** The length of the beginning that is searched, in UTF-16 units. */
const MAX_SEARCHED = 1_000_000;
