import type { JsonValue } from "@agentprint/canonical-json/json-value";
import { stringify } from "yaml";
import type { TableNode } from "./config-node.ts";
import { indentOf, lineBreakOf, lineEnd, type Splice } from "./splice.ts";

/** Adds a member after the last one of an object that is written by indentation. */
export function insertIntoBlock(text: string, node: TableNode, name: string, value: JsonValue): Splice {
  const [first, last] = [node.members[0], node.members.at(-1)];
  const indent = first
    ? " ".repeat(first.start - text.lastIndexOf("\n", first.start - 1) - 1)
    : indentOf(text, node.start);
  const lines = stringify({ [name]: value }, { lineWidth: 0, blockQuote: false })
    .trimEnd()
    .split("\n");
  const lineBreak = lineBreakOf(text);
  const place = lineEnd(text, text.slice(0, last?.value.end ?? node.start).trimEnd().length);
  return { start: place, end: place, text: lines.map((line) => lineBreak + indent + line).join("") };
}
