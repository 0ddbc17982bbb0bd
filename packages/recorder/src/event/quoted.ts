/** The length in UTF-16 units up to which a loop is faster than `JSON.stringify`. */
const MAX_LOOP_LENGTH = 24;

/**
 * Returns a text as a JSON string. Needed for the bench bar "recorder/record": most texts in records are short and
 * contain nothing to escape. `test/event-text.test.ts` and `test/chain-line.test.ts` compare the result with
 * `JSON.stringify`.
 */
export function quoted(text: string): string {
  if (text.length > MAX_LOOP_LENGTH) return JSON.stringify(text);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return JSON.stringify(text);
  }
  return `"${text}"`;
}
