import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from "yaml";
import { MAX_FRONTMATTER } from "./limits.ts";

/** The members of a SKILL.md's frontmatter that a lock keeps. */
export interface Frontmatter {
  readonly name?: string;
  /** Sorted, each once; absent if it cannot be read. */
  readonly allowedTools?: readonly string[];
}

/**
 * Returns the name and the allowed tools of a SKILL.md. `allowed-tools` is a list, or text with spaces or commas
 * between the tools: `Bash(git add:*), Read`.
 *
 * @param bytes The file.
 */
export function readFrontmatter(bytes: Uint8Array): Frontmatter {
  const text = decode(bytes);
  if (text === undefined) return {};
  const yaml = frontmatterOf(text);
  if (yaml === undefined) return { allowedTools: [] };
  const members = membersOf(yaml);
  if (members === undefined) return {};
  const name = members.find(({ key }) => isScalar(key) && key.value === "name")?.value;
  const allowed = members.filter(({ key }) => isScalar(key) && key.value === "allowed-tools");
  const lists = allowed.map(({ value }) => toolsOf(value));
  return {
    ...(isScalar(name) && typeof name.value === "string" && { name: name.value }),
    ...(lists.every((list) => list !== undefined) && { allowedTools: [...new Set(lists.flat())].sort() }),
  };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the text between the first line, `---`, and the next one. */
function frontmatterOf(text: string): string | undefined {
  const [first = ""] = text.split("\n", 1);
  if (first.trimEnd() !== "---") return undefined;
  const rest = text.slice(first.length + 1);
  const end = rest.search(/^---[ \t\r]*$/m);
  return end === -1 ? undefined : rest.slice(0, end);
}

/**
 * Matches line breaks that only YAML 1.1 has, after which a member can hide, and directives, which can change the
 * meaning of tags.
 */
const NOT_PLAIN = /[\u0085\u2028\u2029]|\r(?!\n)|^%/m;

/**
 * Returns the members of a YAML object in the order of the text; `undefined` if the text is not such YAML, is too long,
 * or is not plain: some clients find other members in it through a merged or aliased key, or through a tag.
 */
function membersOf(yaml: string): readonly Pair<Node, Node | null>[] | undefined {
  if (yaml.length > MAX_FRONTMATTER || NOT_PLAIN.test(yaml)) return undefined;
  // Two members with the same name both count: clients disagree about which one does.
  const document = parseDocument(yaml, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  if (document.contents === null) return [];
  const { contents } = document;
  if (!isMap<Node, Node | null>(contents) || contents.tag !== undefined) return undefined;
  return contents.items.every(({ key }) => isPlainKey(key)) ? contents.items : undefined;
}

/** Returns whether every client reads a key as it is written. */
function isPlainKey(key: Node): boolean {
  return !isAlias(key) && key.tag === undefined && !(isScalar(key) && key.value === "<<");
}

function toolsOf(value: Node | null): readonly string[] | undefined {
  if (value === null) return [];
  if (value.tag !== undefined) return undefined;
  if (isScalar(value)) {
    if (value.value === null) return [];
    return typeof value.value === "string" ? splitTools(value.value) : undefined;
  }
  if (!isSeq(value)) return undefined;
  const items = value.items.map((item) =>
    isScalar(item) && typeof item.value === "string" && item.tag === undefined ? item.value : undefined,
  );
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Splits at spaces and commas outside of parentheses. */
function splitTools(text: string): readonly string[] {
  return text.match(/(?:[^\s,()]|\([^()]*\)|[()])+/g) ?? [];
}
