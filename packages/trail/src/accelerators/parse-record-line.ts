// Needed for the bench bar "JSON Lines": with `parseJson` alone, the run takes a fifth longer.
// `test/accelerators/parse-record-line.test.ts` compares it with `parseJson`.

/** In UTF-16 units. The regular expression stores every place that it may backtrack to. */
const MAX_MATCHED_LENGTH = 64 * 1024;
const TEXT = '"([^"\\\\\\x00-\\x1f]*)"';
const ESCAPED_TEXT = '"([^"\\\\\\x00-\\x1f]*(?:\\\\["\\\\bfnrt][^"\\\\\\x00-\\x1f]*)*)"';
const RECORD = /* @__PURE__ */ new RegExp(
  `^\\{"agent_id":${TEXT},"content":${ESCAPED_TEXT},"hash":${TEXT},"id":${TEXT},"prev_hash":${TEXT},"task_id":${TEXT},"timestamp":${TEXT},"type":${TEXT}\\}$`,
);

/**
 * Returns the record in a line as `formatThoughtLine` writes it, if only the content has escapes and none of them is
 * numeric; `undefined` for any other text, which `parseJson` has to read.
 */
export function parseRecordLine(text: string): unknown {
  const record = text.length <= MAX_MATCHED_LENGTH ? RECORD.exec(text) : null;
  if (record === null) return undefined;
  const [, agent_id, escaped, hash, id, prev_hash, task_id, timestamp, type] = record as unknown as string[];
  const content = escaped?.includes("\\") ? JSON.parse(`"${escaped}"`) : escaped;
  return { agent_id, content, hash, id, prev_hash, task_id, timestamp, type };
}
