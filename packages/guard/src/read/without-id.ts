/** The beginning of an answer whose id is written before its result, and the end of one whose id is written behind it. */
const ID_FIRST = /^\{"jsonrpc":"2\.0","id":(?:\d{1,16}|"[^"\\]{0,64}"),"result":/;
const ID_LAST = /,"jsonrpc":"2\.0","id":(?:\d{1,16}|"[^"\\]{0,64}")\}$/;
/** UTF-16 units of the longest end that is looked at. */
const MAX_END = 128;

/**
 * Everything but the id of the text of an answer: answers of which this is the same have the same result. Absent where the id is not
 * written as most libraries write it.
 *
 * @param text One message of strict JSON.
 */
export function withoutId(text: string): string | undefined {
  const [beginning] = ID_FIRST.exec(text.slice(0, MAX_END)) ?? [];
  if (beginning !== undefined) return text.slice(beginning.length);
  const [end] = ID_LAST.exec(text.slice(-MAX_END)) ?? [];
  return end === undefined ? undefined : text.slice(0, -end.length);
}
