/** A part of a text, given by indexes of UTF-16 units; `end` is after its last unit. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

// No alternative can match across the beginning of another reference, so that no text takes quadratic time.
const REFERENCE =
  /\$\{(?:(?:env|input):[^{}:$`\\"']+(?::-|\})|[A-Za-z_]\w*(?::?[-=?+]|\})|[A-Za-z][\w:.-]*\})|\$[A-Z_][A-Z0-9_]*|%(?=[0-9A-F]*[G-Z_])[A-Z_][A-Z0-9_]*%|\$\(|`/g;
const ONLY_A_VARIABLE = /^\$[A-Za-z_]\w*$/;

/**
 * Yields the references in a range, which name a value's source: `${env:NAME}`, `${NAME}`, `$NAME`, `%NAME%`, and a
 * shell's `$(command)` and `` `command` ``. The default value in `${NAME:-default}` is not part of the reference.
 */
export function* findReferences(text: string, start: number, end: number): Generator<Range> {
  if (ONLY_A_VARIABLE.test(text.slice(start, end))) {
    yield { start, end };
    return;
  }
  const closing = closingParentheses(text, start, end);
  let index = start;
  for (const match of text.slice(start, end).matchAll(REFERENCE)) {
    const at = start + match.index;
    if (at < index) continue;
    const close = endOfReference(text, at, at + match[0].length, end, closing);
    if (close === undefined) continue;
    yield { start: at, end: close };
    index = close;
  }
}

function endOfReference(
  text: string,
  start: number,
  matchEnd: number,
  end: number,
  closing: ReadonlyMap<number, number>,
): number | undefined {
  if (text[start] === "`") {
    const close = text.indexOf("`", start + 1);
    return close === -1 || close >= end ? undefined : close + 1;
  }
  if (text.startsWith("$(", start)) return closing.get(start + 1);
  return matchEnd;
}

/** Returns, for each opening parenthesis in a range, the index after the parenthesis that closes it. */
function closingParentheses(text: string, start: number, end: number): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let index = start; index < end; index++) {
    if (text[index] === "(") open.push(index);
    const opened = text[index] === ")" ? open.pop() : undefined;
    if (opened !== undefined) closing.set(opened, index + 1);
  }
  return closing;
}
