/** An entry of a list that names tools: what a client or a policy may call, is asked about, or may not call. */
export interface PermissionEntry {
  /** The file, as it is shown. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The entry as the file has it. */
  readonly written: string;
  /** `allow`: calls go through, or the tool is offered; `restrict`: calls are refused, asked about or limited. */
  readonly effect: "allow" | "restrict";
  /** Whether the entry covers a tool of a server, by the names that the client has for both. */
  covers(server: string, tool: string): boolean;
}

/** A list of a file: the entries as they are written, with their lines. */
export interface WrittenEntry {
  readonly written: string;
  readonly line: number;
}

/**
 * Whether a text matches a pattern in which each `*` stands for any characters. The time grows with the length of the
 * text, whatever the pattern is.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
