/**
 * The beginning of an answer whose id is written before its result, and the end of one whose id is written behind it.
 */
const ID_FIRST = /^\{"jsonrpc":"2\.0","id":(?:\d{1,16}|"[^"\\]{0,64}"),"result":/;
const ID_LAST = /,"jsonrpc":"2\.0","id":(?:\d{1,16}|"[^"\\]{0,64}")\}$/;
/** The length of the searched ends, in UTF-16 units. */
const MAX_END = 128;

/**
 * Returns the text of an answer without its id. Answers whose texts are equal without the id have the same result.
 * Returns `undefined` where the id is not written as most libraries write it.
 *
 * @param text One message of strict JSON.
 */
export function withoutId(text: string): string | undefined {
  const [beginning] = ID_FIRST.exec(text.slice(0, MAX_END)) ?? [];
  if (beginning !== undefined) return text.slice(beginning.length);
  const [end] = ID_LAST.exec(text.slice(-MAX_END)) ?? [];
  return end === undefined ? undefined : text.slice(0, -end.length);
}
