import type { JsonValue } from "@agentprint/canonical-json/json-value";
import type { ConfigMember, ConfigNode, TableNode } from "./config-node.ts";
import { flowText, tomlKey } from "./edit-flow.ts";
import { lineBreakOf, lineEnd, lineStart, type Splice } from "./splice.ts";

/** Adds a table under its own header, after everything else and an empty line. */
export function insertSection(
  text: string,
  path: readonly string[],
  value: Readonly<Record<string, JsonValue>>,
): Splice {
  const lineBreak = lineBreakOf(text);
  const isEnded = text === "" || text.endsWith("\n");
  const lines = [`[${path.map(tomlKey).join(".")}]`, ...Object.entries(value).map(memberLine)];
  const gap = text === "" ? "" : isEnded ? lineBreak : lineBreak + lineBreak;
  return { start: text.length, end: text.length, text: gap + lines.join(lineBreak) + (isEnded ? lineBreak : "") };
}

/** Removes a table with its header, and the empty line before it. */
export function removeSection(text: string, { start, end }: ConfigNode): Splice {
  const lineBreak = lineBreakOf(text);
  const last = lineEnd(text, end);
  const isEnded = last < text.length;
  const before = text.slice(0, start);
  const isBehindEmptyLine = before.endsWith(lineBreak + lineBreak);
  const breaks = isBehindEmptyLine ? (isEnded ? 1 : 2) : 0;
  return { start: start - breaks * lineBreak.length, end: isEnded ? last + lineBreak.length : last, text: "" };
}

/** Adds a line after the last line of a table that has no parts under other headers. */
export function insertLine(text: string, node: TableNode, name: string, value: JsonValue): Splice {
  const last = node.members.findLast((member) => !("layout" in member.value) || member.value.layout !== "sections");
  const place = lineEnd(text, last?.value.end ?? node.start);
  return { start: place, end: place, text: lineBreakOf(text) + memberLine([name, value]) };
}

/** Removes the lines of a member, starting with the line break before them. */
export function removeLines(text: string, member: ConfigMember): Splice {
  const start = lineStart(text, member.start);
  const end = lineEnd(text, Math.max(member.start, text.slice(0, member.value.end).trimEnd().length));
  const lineBreak = lineBreakOf(text);
  return start === 0
    ? { start, end: Math.min(text.length, end + lineBreak.length), text: "" }
    : { start: start - lineBreak.length, end, text: "" };
}

function memberLine([name, value]: readonly [string, JsonValue]): string {
  return `${tomlKey(name)} = ${flowText("toml", value)}`;
}
