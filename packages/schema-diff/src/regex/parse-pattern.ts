import { ANY, type CodePoints, complement, DIGITS, LINE_TERMINATORS, SPACES, union, WORD } from "./code-points.ts";

/** A part of a pattern that a finite automaton can express. */
export type PatternElement =
  | { readonly type: "character"; readonly set: CodePoints }
  | { readonly type: "group"; readonly alternatives: readonly PatternAlternative[] }
  | { readonly type: "repetition"; readonly element: PatternElement; readonly min: number; readonly max: number }
  | { readonly type: "edge"; readonly edge: "at-start" | "at-end" };

export type PatternAlternative = readonly PatternElement[];

/**
 * Thrown if the pattern is malformed, or needs look-around, a back-reference, a word boundary, a property escape or a
 * modifier.
 */
class NotSupported extends Error {}

const SETS: ReadonlyMap<string, CodePoints> = new Map([
  ["d", DIGITS],
  ["D", complement(DIGITS)],
  ["s", SPACES],
  ["S", complement(SPACES)],
  ["w", WORD],
  ["W", complement(WORD)],
]);
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
]);
/** The characters that a backslash makes literal with the flag `u` (ECMA-262 §22.2.1, IdentityEscape). */
const ESCAPED = "^$\\.*+?()[]{}|/";
const QUANTIFIER = /([*+?]|\{(\d+)(,(\d*))?\})\??/y;
const GROUP_NAME = /<([$_\p{ID_Start}](?:[$\p{ID_Continue}]|\u200c|\u200d)*)>/uy;
const HEX =
  /x([0-9a-fA-F]{2})|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}/y;
const CONTROL_LETTER = /c([A-Za-z])/y;

/**
 * Reads an ECMA-262 pattern with the flag `u` (§22.2.1).
 *
 * @throws {@link NotSupported} when the pattern is malformed, or cannot be turned into a finite automaton.
 */
export function parsePattern(source: string): readonly PatternAlternative[] {
  return new PatternParser(source).parse();
}

class PatternParser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): readonly PatternAlternative[] {
    const { alternatives } = this.#disjunction();
    if (this.#at < this.#source.length) throw new NotSupported();
    return alternatives;
  }

  /**
   * Reads alternatives. A group name may occur twice only in two different alternatives, because at most one of them
   * takes part in a match.
   */
  #disjunction(): { alternatives: PatternAlternative[]; names: Set<string> } {
    const alternatives: PatternAlternative[] = [];
    const names = new Set<string>();
    do {
      const own = new Set<string>();
      alternatives.push(this.#alternative(own));
      for (const name of own) names.add(name);
    } while (this.#take("|"));
    return { alternatives, names };
  }

  #alternative(names: Set<string>): PatternAlternative {
    const elements: PatternElement[] = [];
    while (this.#at < this.#source.length && this.#peek() !== "|" && this.#peek() !== ")") {
      elements.push(this.#term(names));
    }
    return elements;
  }

  #term(names: Set<string>): PatternElement {
    if (this.#take("^")) return { type: "edge", edge: "at-start" };
    if (this.#take("$")) return { type: "edge", edge: "at-end" };
    const element = this.#take("(") ? this.#group(names) : this.#character();
    const quantifier = this.#match(QUANTIFIER);
    if (!quantifier) return element;
    const [, sign, least, comma, most] = quantifier;
    if (sign === "*" || sign === "+") {
      return { type: "repetition", element, min: sign === "*" ? 0 : 1, max: Number.POSITIVE_INFINITY };
    }
    if (sign === "?") return { type: "repetition", element, min: 0, max: 1 };
    const max = comma === undefined ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    if (Number(least) > max) throw new NotSupported();
    return { type: "repetition", element, min: Number(least), max };
  }

  #group(names: Set<string>): PatternElement {
    const name = this.#take("?") && !this.#take(":") ? this.#match(GROUP_NAME)?.[1] : "";
    if (name === undefined) throw new NotSupported();
    const { alternatives, names: inner } = this.#disjunction();
    if (!this.#take(")")) throw new NotSupported();
    for (const each of name === "" ? inner : [name, ...inner]) {
      if (names.has(each)) throw new NotSupported();
      names.add(each);
    }
    if (inner.has(name)) throw new NotSupported();
    return { type: "group", alternatives };
  }

  #character(): PatternElement {
    if (this.#take(".")) return { type: "character", set: complement(LINE_TERMINATORS) };
    if (this.#take("[")) return { type: "character", set: this.#class() };
    if (this.#take("\\")) return { type: "character", set: this.#escape(ESCAPED) };
    if (ESCAPED.replace("/", "").includes(this.#peek())) throw new NotSupported();
    return { type: "character", set: this.#literal() };
  }

  #class(): CodePoints {
    const isNegated = this.#take("^");
    const sets: CodePoints[] = [];
    while (!this.#take("]")) {
      const first = this.#classAtom();
      if (this.#peek() !== "-" || this.#source[this.#at + 1] === "]") {
        sets.push(first);
        continue;
      }
      this.#at++;
      sets.push(rangeOf(first, this.#classAtom()));
    }
    const set = union(sets);
    return isNegated ? complement(set) : set;
  }

  #classAtom(): CodePoints {
    if (this.#at >= this.#source.length) throw new NotSupported();
    if (!this.#take("\\")) return this.#literal();
    return this.#take("b") ? single(0x08) : this.#escape(`${ESCAPED}-`);
  }

  /** Reads the part of an escape after the backslash. */
  #escape(identities: string): CodePoints {
    const hex = this.#match(HEX);
    if (hex) return single(codePointOf(hex));
    const control = this.#match(CONTROL_LETTER)?.[1];
    if (control !== undefined) return single(control.charCodeAt(0) % 32);
    const letter = this.#peek();
    this.#at++;
    if (letter === "0" && !/\d/.test(this.#peek())) return single(0);
    const code = CONTROLS.get(letter);
    const set = SETS.get(letter) ?? (code === undefined ? undefined : single(code));
    if (set) return set;
    if (letter === "" || !identities.includes(letter)) throw new NotSupported();
    return single(letter.charCodeAt(0));
  }

  #literal(): CodePoints {
    const code = this.#source.codePointAt(this.#at) as number;
    this.#at += code > 0xffff ? 2 : 1;
    return single(code);
  }

  #peek(): string {
    return this.#source[this.#at] ?? "";
  }

  #take(character: string): boolean {
    const isThere = this.#peek() === character;
    if (isThere) this.#at++;
    return isThere;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source) ?? undefined;
    if (found) this.#at = expression.lastIndex;
    return found;
  }
}

function codePointOf([, byte, lead, trail, unit, braced]: RegExpExecArray): number {
  if (lead !== undefined && trail !== undefined) {
    return 0x10000 + (Number.parseInt(lead, 16) - 0xd800) * 0x400 + (Number.parseInt(trail, 16) - 0xdc00);
  }
  const code = Number.parseInt(byte ?? unit ?? (braced as string), 16);
  if (code > (ANY[1] as number)) throw new NotSupported();
  return code;
}

/** Returns a range in a character class. A set such as `\d` cannot begin or end a range. */
function rangeOf(first: CodePoints, last: CodePoints): CodePoints {
  const isRange = [first, last].every((set) => set.length === 2 && set[0] === set[1]);
  if (!isRange || (first[0] as number) > (last[0] as number)) throw new NotSupported();
  return [first[0] as number, last[0] as number];
}

function single(codePoint: number): CodePoints {
  return [codePoint, codePoint];
}
