import { REDACTED } from "./redacted.ts";
import type { Word } from "./words.ts";

const MAX_SCRIPT_LENGTH = 4096;

/** A script's simple commands, each as its words. */
type Commands = readonly (readonly Word[])[];

/** The rules by which a text is split into words. */
interface Syntax {
  /** Matches a stretch of a word that has no special meaning. */
  readonly plain: RegExp;
  readonly quotes: string;
  /** Matches the characters that have a special meaning between these quotes. */
  readonly special: Readonly<Record<string, RegExp>>;
  /** Matches command separators. */
  readonly separator?: RegExp;
  /** The character that removes the next character's special meaning. */
  readonly escape?: string;
}

/** The rules of a POSIX shell, without substitution, redirection or loops. */
const SHELL: Syntax = {
  plain: /[^\s'"\\$`&|;<>(){}*?[\]!#~]+/y,
  quotes: `'"`,
  special: { '"': /[$`\\!]/ },
  separator: /&&|[;\n]/y,
  escape: "\\",
};
/** The rules for the argument of `env -S`. */
const ENV: Syntax = { plain: /[^\s'"\\$#]+/y, quotes: `'"`, special: { '"': /[$\\]/, "'": /[$\\]/ } };
/** The rules for a `cmd /c` command line. */
const CMD: Syntax = { plain: /[^\s"%^!&|<>()]+/y, quotes: `"`, special: { '"': /[%^!]/ }, separator: /&&?/y };

/** Returns the simple commands in the argument of `sh -c` in order, or `undefined` if a command is not simple. */
export function commandsOfScript(script: Word): Commands | undefined {
  return split(script, SHELL);
}

/** Returns the simple commands after `cmd /c`. */
export function commandsOfCmd(line: Word): Commands | undefined {
  return split(line, CMD);
}

/** Returns the words in the argument of `env -S`. */
export function wordsOfEnvString(string: Word): readonly Word[] | undefined {
  return split(string, ENV)?.[0];
}

function split(script: Word, syntax: Syntax): Commands | undefined {
  if (script.text.length > MAX_SCRIPT_LENGTH) return undefined;
  const { text } = script;
  const commands: Word[][] = [[]];
  let index = 0;
  while (index < text.length) {
    const blank = matchAt(/[ \t]+|\\\n/y, text, index);
    if (blank !== "") {
      index += blank.length;
      continue;
    }
    const separator = syntax.separator ? matchAt(syntax.separator, text, index) : "";
    if (separator !== "") {
      if (commands.at(-1)?.length === 0) return undefined;
      commands.push([]);
      index += separator.length;
      continue;
    }
    const read = readWord(script, index, syntax);
    if (read === undefined) return undefined;
    commands.at(-1)?.push(read.word);
    index = read.end;
  }
  // A script may end with `a;` but not with `a &&`.
  if (commands.length > 1 && commands.at(-1)?.length === 0 && !/&\s*$/.test(text)) commands.pop();
  return commands.every(({ length }) => length > 0) ? commands : undefined;
}

function readWord(script: Word, start: number, syntax: Syntax): { word: Word; end: number } | undefined {
  const { text } = script;
  let [value, end] = ["", start];
  while (end < text.length && !/[ \t\n]/.test(text.charAt(end)) && !isSeparator(text, end, syntax)) {
    const part = readPart(text, end, syntax);
    if (part === undefined) return undefined;
    value += part.value;
    end = part.end;
  }
  const { argument } = script;
  const isUnquoted = script.isUnquoted === true || text.slice(start, end) !== value;
  const word = { text: value, argument, start: script.start + start, isReadTwice: true };
  return { word: isUnquoted ? { ...word, isUnquoted } : word, end };
}

function isSeparator(text: string, index: number, { separator }: Syntax): boolean {
  return separator !== undefined && matchAt(separator, text, index) !== "";
}

/** Reads a stretch of a word: plain, in quotes, a character after a backslash, or a redacted secret. */
function readPart(text: string, index: number, syntax: Syntax): { value: string; end: number } | undefined {
  if (text.startsWith(REDACTED, index)) return { value: REDACTED, end: index + REDACTED.length };
  const plain = matchAt(syntax.plain, text, index);
  if (plain !== "") return { value: plain, end: index + plain.length };
  const first = text.charAt(index);
  if (first === syntax.escape) {
    const next = text.charAt(index + 1);
    return next === "" || next === "\n" ? undefined : { value: next, end: index + 2 };
  }
  if (!syntax.quotes.includes(first)) return undefined;
  const close = text.indexOf(first, index + 1);
  const value = text.slice(index + 1, close);
  if (close === -1 || syntax.special[first]?.test(value)) return undefined;
  return { value, end: close + 1 };
}

function matchAt(expression: RegExp, text: string, index: number): string {
  expression.lastIndex = index;
  return expression.exec(text)?.[0] ?? "";
}
