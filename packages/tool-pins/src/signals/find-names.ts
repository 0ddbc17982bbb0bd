import { unicodeExpression } from "./unicode-expression.ts";

/** A word in the names to search for, with the words that may follow it and the name that ends with it. */
interface Node {
  readonly next: Map<string, Node>;
  readonly names: Set<string>;
}

const newNode = (): Node => ({ next: new Map(), names: new Set() });
/** Names of one or two letters would match in every text, and no text mentions names of more than 128 letters. */
const [MIN_NAME_LENGTH, MAX_NAME_LENGTH] = [3, 128];
const CAMEL = unicodeExpression("\\p{Ll}\\p{Lu}");
const LETTERS = unicodeExpression("^[\\p{L}\\p{M}]+$");
/** Words, and the text between them. */
const TOKENS = unicodeExpression("[\\p{L}\\p{N}\\p{M}_]+|[^\\p{L}\\p{N}\\p{M}_]+", "gu");
/** Names of several words as programs write them: `write_file`, `write-file`, `writeFile`. */
const IDENTIFIERS = unicodeExpression("[\\p{L}\\p{N}\\p{M}]+(?:[_-][\\p{L}\\p{N}\\p{M}]+)*", "gu");

/** Returns an identifier of several words without its separators; `undefined` for one word. */
function foldIdentifier(text: string): string | undefined {
  const joined = text.replace(/[_-]/g, "");
  return joined !== text || isCamel(text) ? joined.toLowerCase() : undefined;
}

/** Returns whether a capital follows a lowercase letter. */
function isCamel(text: string): boolean {
  return CAMEL().test(text);
}

/**
 * Returns whether a name has no digit, no underscore and no capital after a lowercase letter, and so looks like an
 * ordinary word.
 */
function isPlain(name: string): boolean {
  return LETTERS().test(name) && !isCamel(name);
}

function tokensOf(text: string): readonly string[] {
  return text.match(TOKENS()) ?? [];
}

/**
 * An index of the names of tools and servers that finds all of them in one pass over a text. The index is built for the
 * first text.
 */
export class NameIndex {
  readonly #root = newNode();
  readonly #identifiers = new Map<string, Set<string>>();
  #open: Iterable<string>;

  constructor(names: Iterable<string>) {
    this.#open = names;
  }

  #add(name: string): void {
    if (name.length < MIN_NAME_LENGTH || name.length > MAX_NAME_LENGTH) return;
    const folded = foldIdentifier(name);
    if (folded !== undefined) this.#identifiers.set(folded, (this.#identifiers.get(folded) ?? new Set()).add(name));
    let node = this.#root;
    for (const token of tokensOf(name.toLowerCase())) {
      const next = node.next.get(token) ?? newNode();
      node.next.set(token, next);
      node = next;
    }
    node.names.add(name);
  }

  /**
   * Returns the names in a text, as separate words. A name that is a plain word counts only exactly as written. Other
   * names count in capitals or small letters, and with `_`, `-` or a capital between their words.
   */
  findIn(text: string): Set<string> {
    for (const name of this.#open) this.#add(name);
    this.#open = [];
    const found = new Set<string>();
    const written = tokensOf(text);
    const tokens = written.map((token) => token.toLowerCase());
    for (const [start, token] of tokens.entries()) {
      let index = start;
      for (let node = this.#root.next.get(token); node !== undefined; node = node.next.get(tokens[++index] ?? "")) {
        for (const name of node.names) if (!isPlain(name) || written[start] === name) found.add(name);
      }
    }
    for (const [word] of this.#identifiers.size > 0 ? text.matchAll(IDENTIFIERS()) : []) {
      const folded = foldIdentifier(word);
      for (const name of (folded !== undefined && this.#identifiers.get(folded)) || []) found.add(name);
    }
    return found;
  }
}
