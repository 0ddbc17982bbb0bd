import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import type { ConfigMember, ConfigNode, Layout } from "./config-node.ts";
import { invalidConfig, placeOf } from "./parsed-config.ts";

/**
 * Parses TOML. The parser's own plain value is not used, because it writes a table named `__proto__` into every
 * object's prototype.
 *
 * @throws {@link ClientConfigError} when the text is not TOML
 */
export function parseToml(text: string, file: string): ConfigNode {
  try {
    const [{ body, range }] = parseTOML(text).body;
    const root = openTable("sections", range);
    for (const part of body) {
      const isHeader = part.type === "TOMLTable";
      const table = isHeader ? enter(root, part.resolvedKey, part.range) : root;
      for (const each of isHeader ? part.body : [part]) addKeyValue(table, each);
    }
    return root;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw invalidConfig(placeOf({ file, text }, error.index), `not TOML: ${error.message}`);
  }
}

/** A table to which later headers and dotted keys in the text can still add members. */
interface OpenTable {
  readonly kind: "table";
  readonly layout: Layout;
  readonly members: ConfigMember[];
  readonly tables: Map<string, OpenTable | OpenList>;
  readonly start: number;
  end: number;
}

interface OpenList {
  readonly kind: "list";
  readonly layout: "sections";
  readonly items: OpenTable[];
  readonly start: number;
  end: number;
}

function openTable(layout: Layout, [start, end]: AST.Range): OpenTable {
  return { kind: "table", layout, members: [], tables: new Map(), start, end };
}

/** Returns the table that a header or a dotted key names; creates it on first use. */
function enter(root: OpenTable, path: readonly (string | number)[], range: AST.Range): OpenTable {
  let [table, list] = [root, undefined as OpenList | undefined];
  for (const [depth, key] of path.entries()) {
    if (list) {
      table = list.items[Number(key)] ??= openTable("sections", range);
      list = undefined;
      continue;
    }
    const name = String(key);
    const known = table.tables.get(name) ?? addTable(table, name, typeof path[depth + 1] === "number", range);
    known.end = Math.max(known.end, range[1]);
    if (known.kind === "list") list = known;
    else table = known;
  }
  return table;
}

function addTable(parent: OpenTable, name: string, isList: boolean, range: AST.Range): OpenTable | OpenList {
  const [start, end] = range;
  const made: OpenTable | OpenList = isList
    ? { kind: "list", layout: "sections", items: [], start, end }
    : openTable(parent.layout, range);
  parent.tables.set(name, made);
  parent.members.push({ name, start, value: made });
  return made;
}

function addKeyValue(table: OpenTable, { key, value, range }: AST.TOMLKeyValue): void {
  const names = key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value));
  const parent = enter(table, names.slice(0, -1), range);
  parent.members.push({ name: names.at(-1) ?? "", start: key.range[0], value: nodeOf(value) });
}

function nodeOf(value: AST.TOMLContentNode): ConfigNode {
  const [start, end] = value.range;
  if (value.type === "TOMLArray") {
    return { kind: "list", layout: "flow", items: value.elements.map(nodeOf), start, end };
  }
  if (value.type === "TOMLInlineTable") {
    const table = openTable("flow", value.range);
    for (const each of value.body) addKeyValue(table, each);
    return table;
  }
  return { kind: "scalar", value: "datetime" in value ? value.datetime : value.value, start, end };
}
