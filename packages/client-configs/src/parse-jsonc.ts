import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { ConfigMember, ConfigNode } from "./config-node.ts";
import { invalidConfig, placeOf } from "./parsed-config.ts";

/**
 * Parses JSON with comments and trailing commas.
 *
 * @throws {@link ClientConfigError} when the text is not JSON, with or without comments
 */
export function parseJsonc(text: string, file: string): ConfigNode {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: false });
  const [error] = errors;
  if (error || root === undefined) {
    const reason = error ? printParseErrorCode(error.error) : "ValueExpected";
    throw invalidConfig(placeOf({ file, text }, error?.offset ?? 0), `not JSON with comments: ${reason}`);
  }
  return nodeOf(root);
}

function nodeOf({ type, value, offset: start, length, children = [] }: Node): ConfigNode {
  const place = { start, end: start + length };
  if (type === "array") return { kind: "list", layout: "flow", items: children.map(nodeOf), ...place };
  if (type === "object") return { kind: "table", layout: "flow", members: children.flatMap(membersOf), ...place };
  return { kind: "scalar", value, ...place };
}

function membersOf({ children: [name, value] = [] }: Node): ConfigMember[] {
  return name && value ? [{ name: name.value, start: name.offset, value: nodeOf(value) }] : [];
}
