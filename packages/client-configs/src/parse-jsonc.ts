import type { ConfigMember, ConfigNode } from "./config-node.ts";
import type { ClientConfigError } from "./errors.ts";
import { invalidConfig, placeOf } from "./parsed-config.ts";

const BETWEEN = /[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Parses JSON with comments and trailing commas.
 *
 * @throws {@link ClientConfigError} when the text is not such JSON
 * @throws RangeError when it is nested too deeply
 */
export function parseJsonc(text: string, file: string): ConfigNode {
  return new JsoncReader(text, file).read();
}

class JsoncReader {
  readonly #text: string;
  readonly #file: string;
  /** The offset of the character that is read next. */
  #at = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  read(): ConfigNode {
    this.#skip();
    const root = this.#value();
    this.#skip();
    if (this.#at < this.#text.length) throw this.#expected("the end of the file");
    return root;
  }

  #value(): ConfigNode {
    const start = this.#at;
    const next = this.#text[start];
    if (next === "{") {
      const members = this.#list("}", () => this.#member());
      return { kind: "table", layout: "flow", members, start, end: this.#at };
    }
    if (next === "[") {
      const items = this.#list("]", () => this.#value());
      return { kind: "list", layout: "flow", items, start, end: this.#at };
    }
    if (next === '"') return { kind: "scalar", value: this.#string("a value"), start, end: this.#at };
    LITERAL.lastIndex = start;
    const [literal] = LITERAL.exec(this.#text) ?? [];
    if (literal === undefined) throw this.#expected("a value");
    this.#at += literal.length;
    return { kind: "scalar", value: JSON.parse(literal), start, end: this.#at };
  }

  #member(): ConfigMember {
    const start = this.#at;
    const name = this.#string("the name of a member");
    this.#skip();
    if (this.#text[this.#at] !== ":") throw this.#expected("a colon");
    this.#at++;
    this.#skip();
    return { name, start, value: this.#value() };
  }

  /** Reads items up to a bracket, with commas between them and at most one behind the last. */
  #list<Item>(end: string, readItem: () => Item): Item[] {
    const items: Item[] = [];
    this.#at++;
    this.#skip();
    while (this.#text[this.#at] !== end) {
      items.push(readItem());
      this.#skip();
      if (this.#text[this.#at] === ",") this.#at++;
      else if (this.#text[this.#at] !== end) throw this.#expected(`a comma or ${end}`);
      this.#skip();
    }
    this.#at++;
    return items;
  }

  #string(expected: string): string {
    if (this.#text[this.#at] !== '"') throw this.#expected(expected);
    let end = this.#text.indexOf('"', this.#at + 1);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    try {
      const text: string = JSON.parse(this.#text.slice(this.#at, end + 1));
      this.#at = end + 1;
      return text;
    } catch {
      throw this.#expected("a well-formed string");
    }
  }

  #isEscaped(at: number): boolean {
    let first = at;
    while (this.#text[first - 1] === "\\") first--;
    return (at - first) % 2 === 1;
  }

  #skip(): void {
    BETWEEN.lastIndex = this.#at;
    while (BETWEEN.test(this.#text)) this.#at = BETWEEN.lastIndex;
  }

  #expected(expected: string): ClientConfigError {
    return invalidConfig(
      placeOf({ file: this.#file, text: this.#text }, this.#at),
      `not JSON with comments: ${expected} is missing here`,
    );
  }
}
