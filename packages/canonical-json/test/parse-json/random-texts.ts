import { EDITS } from "./texts.ts";

const SPACES = ["", "", "", "", " ", "\n", "\r\n  ", "\t"];
const NUMBERS = [
  "0",
  "-0",
  "1",
  "12",
  "-3.5",
  "1.50",
  "1e3",
  "1E+2",
  "0.000001",
  "1e-7",
  "9007199254740993",
  "1e400",
  "01",
];
const NAMES = ["a", "b", "aa", "ab", "é", "\\n", "\\u0061", "😀", "\ufffe", "__proto__", "", "long name", "\\\\"];
const STRINGS = [
  "",
  "x",
  "some words of a text",
  "\\/",
  "\\u00e9",
  "\\ud83d\\ude00",
  "\\ud83d",
  "€",
  "😀",
  '\\"',
  "\\u001F",
];
const MAX_DEPTH = 4;

/**
 * Generates texts that look like JSON, most of which are strict JSON; equal seeds give equal texts. This is faster than
 * arbitraries, which shrink.
 */
export class RandomTexts {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** Returns a number from 0 to below the limit. */
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % limit;
  }

  text(): string {
    return this.#spaced(this.#value(0));
  }

  /** Returns a text with up to three edits. */
  mutated(): string {
    let text = this.text();
    for (let edits = this.below(3); edits >= 0; edits--) {
      const at = this.below(text.length + 1);
      text = text.slice(0, at) + this.#one(EDITS) + text.slice(at + this.below(4));
    }
    return text;
  }

  #one(choices: readonly string[]): string {
    return choices[this.below(choices.length)] as string;
  }

  #spaced(text: string): string {
    return this.#one(SPACES) + text + this.#one(SPACES);
  }

  #value(depth: number): string {
    switch (this.below(depth < MAX_DEPTH ? 7 : 4)) {
      case 0:
        // The last two are errors.
        return this.#one(this.below(20) === 0 ? NUMBERS : NUMBERS.slice(0, -2));
      case 1:
        return String((this.below(2_000_000) - 1_000_000) / 10 ** this.below(8));
      case 2:
        return this.#string(STRINGS, "\\ud83d");
      case 3:
        return this.#one(["true", "false", "null"]);
      case 4:
        return `[${this.#items(() => this.#spaced(this.#value(depth + 1)))}]`;
      default:
        return this.#object(depth);
    }
  }

  #string(parts: readonly string[], rare: string): string {
    const text = this.#one(parts) + this.#one(parts);
    return `"${this.below(20) === 0 ? text : text.replaceAll(rare, "z")}"`;
  }

  #items(item: () => string): string {
    return Array.from({ length: this.below(5) }, item).join(",");
  }

  /** Returns an object whose members are in order in half of the cases. */
  #object(depth: number): string {
    const names = Array.from({ length: this.below(5) }, () => this.#one(NAMES) + this.#one(NAMES));
    const given = this.below(10) === 0 ? names : [...new Set(names)];
    if (this.below(2) === 0) given.sort();
    const members = given.map((name) => `${this.#spaced(`"${name}"`)}:${this.#spaced(this.#value(depth + 1))}`);
    return `{${members.join(",")}}`;
  }
}
