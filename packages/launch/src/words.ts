import type { Launch } from "./launch.ts";

/** A word of a command, and its place: an argument, or a part of an argument that is shell text. */
export interface Word {
  readonly text: string;
  /** The index of the argument; -1 for the command itself. */
  readonly argument: number;
  /** The index of the word's first UTF-16 code unit in that argument. */
  readonly start: number;
  /** Whether quotes or backslashes were removed, so that the argument has different text at that place. */
  readonly isUnquoted?: boolean;
  /** Whether the program around the command also reads the word, as shell text or possibly as its own option. */
  readonly isReadTwice?: boolean;
}

/** Marks words that the program around their command also reads. */
export function readTwice(words: readonly Word[]): Word[] {
  return words.map((word) => ({ ...word, isReadTwice: true }));
}

/** Returns a launch's words, the command first. */
export function wordsOf({ command, args }: Extract<Launch, { type: "stdio" }>): Word[] {
  return [command, ...args].map((text, index) => ({ text, argument: index - 1, start: 0 }));
}

/** Returns the part of a word after its first `length` code units. */
export function behind(word: Word, length: number): Word {
  return { ...word, text: word.text.slice(length), start: word.start + length };
}

/** Returns the part of a word before its last `length` code units. */
export function before(word: Word, length: number): Word {
  return { ...word, text: word.text.slice(0, length) };
}

/** Returns a program's name in lower case, without its folder and without Windows suffixes. */
export function programOf({ text }: Pick<Word, "text">): string {
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  return name.toLowerCase().replace(/\.(?:cmd|exe|bat|ps1)$/, "");
}

/** Returns whether a word looks like a path rather than a possible package name. */
export function isPath({ text }: Pick<Word, "text">): boolean {
  return /^(?:\.{1,2}$|\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\]|file:)/i.test(text);
}

/** Returns whether a word is a path relative to the launch's folder. */
export function isRelative(word: Pick<Word, "text">): boolean {
  return /[/\\]/.test(word.text) && !/^(?:[/\\~]|[a-z]:[/\\]|file:)/i.test(word.text);
}

/** Returns whether a word is an address. An address's scheme is longer than a Windows drive letter. */
export function isAddress(word: Pick<Word, "text">): boolean {
  return !isPath(word) && /^[a-z][a-z0-9+.-]+:/i.test(word.text);
}

/** The extensions of code files. */
const CODE_NAME =
  /\.(?:[cm]?[jt]sx?|py[cwz]?|rb|p[lm]|php|phar|lua|(?:ba|z|fi|k)?sh|ps1|psm1|bat|cmd|[jw]ar|class|kts?|groovy|scala|dll|exe|so|dylib|node|wasm|r|jl|exs?|escript|go|rs|csx?|fsx?|swift|dart|hs|cljs?|lisp|scm|rkt|tcl|nims?|raku|coffee|gem|whl|nu|vbs|appimage)$/i;

/** Returns whether a word is a code file's name, judging by its extension. */
export function isCodeName(text: string): boolean {
  return CODE_NAME.test(text);
}
