import type { JsonValue } from "@agentprint/canonical-json/json-value";
import type { ConfigFormat, ConfigMember, TableNode } from "./config-node.ts";
import type { ParsedConfig } from "./parsed-config.ts";
import { indentOf, lineBreakOf, type Splice } from "./splice.ts";

/** Returns a value on one line, as the format writes it between brackets. YAML's syntax is a superset of JSON's. */
export function flowText(format: ConfigFormat, value: JsonValue): string {
  if (format !== "toml" || value === null || typeof value !== "object") return escapeControls(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map((item) => flowText(format, item)).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) => `${tomlKey(name)} = ${flowText(format, member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Returns a TOML key, quoted if necessary. */
export function tomlKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : flowText("toml", name);
}

/** Escapes the characters that JSON allows unescaped, but TOML and YAML do not. */
function escapeControls(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Adds a member after the last member of an object between brackets, on a new line if the last member is on its own
 * line.
 */
export function insertIntoFlow(config: ParsedConfig, node: TableNode, name: string, value: JsonValue): Splice {
  const { format, text } = config;
  const last = node.members.at(-1);
  const isToml = format === "toml";
  const isLines = !isToml && text.slice(node.start, last?.start ?? node.end).includes("\n");
  const outer = indentOf(text, node.start);
  const unit = outer.includes("\t") ? "\t" : "  ";
  const indent = last && isLines ? indentOf(text, last.start) : outer + unit;
  const lineBreak = lineBreakOf(text) + indent;
  const written = isLines ? JSON.stringify(value, null, unit).split("\n").join(lineBreak) : flowText(format, value);
  const member = isToml ? `${tomlKey(name)} = ${written}` : `${flowText(format, name)}: ${escapeControls(written)}`;
  const place = last ? last.value.end : node.start + 1;
  const gap = isLines ? lineBreak : last ? " " : "";
  return { start: place, end: place, text: `${last ? "," : ""}${gap}${member}` };
}

/**
 * Removes a member of an object between brackets, and one comma: the comma after it or, if there is none, the comma
 * before it.
 *
 * @param keepsBreak Keeps the line break before the member, because a comment may end there
 */
export function removeFromFlow(text: string, node: TableNode, member: ConfigMember, keepsBreak: boolean): Splice[] {
  const before = node.members[node.members.indexOf(member) - 1];
  const comma = commaAfter(text, member.value.end) ?? (before && commaAfter(text, before.value.end));
  const space = /\s*$/.exec(text.slice(0, member.start))?.[0] ?? "";
  const kept = keepsBreak ? space.lastIndexOf("\n") + 1 : 0;
  const removed = { start: member.start - space.length + kept, end: member.value.end, text: "" };
  return comma === undefined ? [removed] : [removed, { start: comma, end: comma + 1, text: "" }];
}

/** Returns the place of the next comma, if only white space and comments precede it. */
function commaAfter(text: string, from: number): number | undefined {
  const skipped = /^(?:\s|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from))?.[0].length ?? 0;
  return text[from + skipped] === "," ? from + skipped : undefined;
}
