// Serves `trail verify --workers`: whoever shares the lines out would otherwise parse each of them a second time.
// `test/chain/shares.test.ts` compares the reports.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const encoder = /* @__PURE__ */ new TextEncoder();
/** The bytes before the opening quotes of the last three values, with the closing quote of the member before. */
const TYPE = /* @__PURE__ */ encoder.encode('","type":');
const TIMESTAMP = /* @__PURE__ */ encoder.encode('","timestamp":');
const TASK = /* @__PURE__ */ encoder.encode(',"task_id":');
const END = /* @__PURE__ */ encoder.encode('"}');

/**
 * A number for the `task_id` of the line from `start` to `end`, by its last bytes alone; -1 where they are not the last three
 * members as `formatThoughtLine` writes them, without escapes.
 *
 * No quote of these bytes is escaped, so in JSON text they are members of the outermost object. Bytes that are no JSON text give
 * a number, too: the caller parses the line later and finds that.
 */
export function taskNumberOfLine(bytes: Uint8Array, start: number, end: number): number {
  const type = openingQuote(bytes, start, closingQuote(bytes, end, END));
  const timestamp = openingQuote(bytes, start, closingQuote(bytes, type, TYPE));
  const closing = closingQuote(bytes, timestamp, TIMESTAMP);
  const task = openingQuote(bytes, start, closing);
  return closingQuote(bytes, task, TASK) < 0 ? -1 : numberOf(bytes, task + 1, closing);
}

/** The number of a task by its id. Two tasks can have the same one. */
export function taskNumber(taskId: string): number {
  const bytes = encoder.encode(taskId);
  return numberOf(bytes, 0, bytes.length);
}

/** FNV-1a, cut to 30 bits. */
function numberOf(bytes: Uint8Array, from: number, to: number): number {
  let number = 0x811c9dc5;
  for (let at = from; at < to; at++) number = Math.imul(number ^ (bytes[at] as number), 0x01000193);
  return number & 0x3fffffff;
}

/** Where `text` begins that ends before `end`; -1 where it is not there. */
function closingQuote(bytes: Uint8Array, end: number, text: Uint8Array): number {
  const from = end - text.length;
  if (from < 0) return -1;
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text[at]) return -1;
  return from;
}

/** The quote before the one at `closing`; -1 where there is none in the line or an escape comes first. */
function openingQuote(bytes: Uint8Array, start: number, closing: number): number {
  for (let at = closing - 1; at >= start; at--) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) return -1;
  }
  return -1;
}
