import type { Launch } from "../visit/launch.ts";

/** A word of a command, and where it stands: an argument, or a part of the text that an argument gives to a shell. */
export interface Word {
  readonly text: string;
  /** Index of the argument; -1 is the command itself. */
  readonly argument: number;
  /** Index of the first UTF-16 code unit of the word in that argument. */
  readonly start: number;
}

/** The words of a launch, the command first. */
export function wordsOf({ command, args }: Extract<Launch, { type: "stdio" }>): Word[] {
  return [command, ...args].map((text, index) => ({ text, argument: index - 1, start: 0 }));
}

/** The part of a word behind its first `length` code units. */
export function behind({ text, argument, start }: Word, length: number): Word {
  return { text: text.slice(length), argument, start: start + length };
}

/** The name of a program without its folder and the suffixes of Windows, in lower case. */
export function programOf({ text }: Word): string {
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  return name.toLowerCase().replace(/\.(?:cmd|exe|bat|ps1)$/, "");
}

/** Characters that mean more to a shell than themselves. A script with one of them is not read. */
const PLAIN_SCRIPT = /^[\w@%+=:,./^~ \t-]*$/;
const MAX_SCRIPT_LENGTH = 4096;

/** The words of the script in an argument, if it is one simple command. */
export function wordsOfScript({ text, argument, start }: Word): Word[] | undefined {
  if (text.length > MAX_SCRIPT_LENGTH || !PLAIN_SCRIPT.test(text)) return undefined;
  return [...text.matchAll(/[^ \t]+/g)].map(({ 0: word, index }) => ({ text: word, argument, start: start + index }));
}
