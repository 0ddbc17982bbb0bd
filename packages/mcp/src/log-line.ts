import { parseJson } from "@agentprint/canonical-json";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "./check-argument.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";

const TEXT = new TextDecoder("utf-8", { ignoreBOM: true });
const ASCII = new TextDecoder("latin1");
const MARK = "\ufeff";
/** Characters that readers in some programming languages treat as white space, or that are invisible. */
const BEFORE_TEXT = /^[\p{White_Space}\p{C}]*/u;
const BATCH = /^\[[\p{White_Space}\p{C}]*\{/u;
const BEGIN_OF_MESSAGE = '{"jsonrpc":';
/**
 * The end of a message whose last members are `jsonrpc` and its id. In JSON that ends in this way, these are members of
 * the outermost object.
 */
const END_OF_MESSAGE = /[{,]"jsonrpc":"2\.0"(?:,"id":(?:"[^"\\]{0,40}"|-?\d{1,20}))?\}\s*$/;
const LONGEST_END = 100;

/**
 * Returns whether a line that a server wrote to its standard output is log output, and not a message for any client: it
 * has no U+FEFF, and begins neither with `{` nor with `[` and `{`; or it is a strict JSON object without a member whose
 * name is `jsonrpc` in any letter case. Clients skip such lines. Every other line that is not a message is garbage,
 * which clients handle differently.
 *
 * @param line The bytes of a line, without its line break
 *
 * @example
 * ```ts
 * import { isLogLine } from "@agentprint/mcp";
 *
 * const lines = ["Server starting", '{"level":"info"}', '{"jsonrpc":"2.0"', '{"JSONRPC":"2.0"}', '[{"id":1}]'];
 * console.log(lines.map((line) => isLogLine(new TextEncoder().encode(line))).join()); // true,true,false,false,false
 * ```
 */
export function isLogLine(line: Uint8Array): boolean {
  checkArgument("line", line, "bytes");
  if (looksLikeMessage(line)) return false;
  const text = TEXT.decode(line);
  if (text.includes(MARK)) return false;
  const said = text.replace(BEFORE_TEXT, "");
  return said.startsWith("{") ? isObjectWithoutVersion(line) : !BATCH.test(said);
}

/**
 * Returns whether a line begins or ends as messages do; if such a line is JSON, `jsonrpc` is a member of its outermost
 * object.
 */
function looksLikeMessage(line: Uint8Array): boolean {
  return (
    ASCII.decode(line.subarray(0, BEGIN_OF_MESSAGE.length)) === BEGIN_OF_MESSAGE ||
    (line[0] === BEGIN_OF_MESSAGE.charCodeAt(0) && END_OF_MESSAGE.test(ASCII.decode(line.subarray(-LONGEST_END))))
  );
}

function isObjectWithoutVersion(line: Uint8Array): boolean {
  try {
    const value = parseJson(line, { maxBytes: MAX_MESSAGE_BYTES });
    // The upper case of U+017F, which some readers take for an s, is S.
    return isJsonObject(value) && Object.keys(value).every((name) => name.toUpperCase() !== "JSONRPC");
  } catch {
    return false;
  }
}
