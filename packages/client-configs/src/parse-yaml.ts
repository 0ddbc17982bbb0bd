import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from "yaml";
import type { ConfigMember, ConfigNode } from "./config-node.ts";
import { invalidConfig, placeOf } from "./parsed-config.ts";

/**
 * Parses a single YAML document. Aliases and keys that are not text are refused, because their meaning depends on the
 * reader.
 *
 * @throws {@link ClientConfigError} when the text is not such a YAML document
 */
export function parseYaml(text: string, file: string): ConfigNode {
  // The parser takes minutes to search 1 MiB for two members with the same name, so the reader of the servers does that
  // check.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error) throw invalidConfig(placeOf({ file, text }, error.pos[0]), `not YAML: ${error.code}`);
  return new YamlReader(text, file).read(document.contents);
}

class YamlReader {
  readonly #text: string;
  readonly #file: string;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  read(node: Node | null): ConfigNode {
    const [start = this.#text.length, end = start] = node?.range ?? [];
    if (isMap<Node, Node | null>(node)) {
      const members = node.items.flatMap((pair) => this.#member(pair, end));
      return { kind: "table", layout: node.flow === true ? "flow" : "block", members, start, end };
    }
    if (isSeq<Node>(node)) {
      const items = node.items.map((item) => this.read(item));
      return { kind: "list", layout: node.flow === true ? "flow" : "block", items, start, end };
    }
    if (isAlias(node)) throw invalidConfig(placeOf({ file: this.#file, text: this.#text }, start), "an alias");
    const value = isScalar(node) ? node.value : null;
    const isPlain = value === null || typeof value === "string" || typeof value === "boolean";
    return { kind: "scalar", value: isPlain || typeof value === "number" ? value : String(value), start, end };
  }

  /** Ignores a member whose key is not a scalar, such as a list. */
  #member({ key, value }: Pair<Node, Node | null>, after: number): ConfigMember[] {
    if (!isScalar(key)) return [];
    const [start = after] = key.range ?? [];
    return [{ name: String(key.value), start, value: this.read(value) }];
  }
}
