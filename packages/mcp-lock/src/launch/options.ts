import { behind, type Word } from "./words.ts";

/** The options of a program, by name with their dashes. Of others nobody knows whether the next argument is their value. */
export interface OptionTable {
  /** Options that stand alone. */
  readonly flags: ReadonlySet<string>;
  /** Options with a value, which is the next argument or stands behind `=`. */
  readonly values: ReadonlySet<string>;
  /** Whether every other long option has a value. */
  readonly hasOthers?: boolean;
}

/** A table of options, each list as words with spaces between them. */
export function optionTable(flags: string, values: string, hasOthers = false): OptionTable {
  return { flags: new Set(flags.split(" ")), values: new Set(values.split(" ")), hasOthers };
}

/** An option with its value, or without one. */
interface ReadOption {
  readonly name: string;
  readonly value?: Word;
}

/** The options at the beginning of some words, and the words behind them. */
export interface ReadOptions {
  readonly options: readonly ReadOption[];
  readonly rest: readonly Word[];
}

/** Reads the options before the first word that is none. `undefined` where an option is not in the table. */
export function readOptions(words: readonly Word[], table: OptionTable): ReadOptions | undefined {
  const options: ReadOption[] = [];
  let index = 0;
  for (let word = words[index]; word?.text.startsWith("-") && word.text !== "-"; word = words[index]) {
    index++;
    if (word.text === "--") break;
    const read = word.text.startsWith("--")
      ? readLong(word, words[index], table)
      : readShort(word, words[index], table);
    if (read === undefined) return undefined;
    options.push(...read.options);
    if (read.takesNext) index++;
  }
  return { options, rest: words.slice(index) };
}

interface ReadWord {
  readonly options: readonly ReadOption[];
  readonly takesNext: boolean;
}

function readLong(word: Word, next: Word | undefined, { flags, values, hasOthers }: OptionTable): ReadWord | undefined {
  const [name = ""] = word.text.split("=", 1);
  const isKnown = values.has(name) || flags.has(name) || hasOthers === true;
  if (word.text.length > name.length) {
    return isKnown ? { options: [{ name, value: behind(word, name.length + 1) }], takesNext: false } : undefined;
  }
  if (flags.has(name)) return { options: [{ name }], takesNext: false };
  if (!isKnown || next === undefined) return undefined;
  return { options: [{ name, value: next }], takesNext: true };
}

/** Reads short options in one word: `-it`, `-eNAME=value`, `-p name`; the long form of one letter, `-p=name`, as well. */
function readShort(word: Word, next: Word | undefined, { flags, values }: OptionTable): ReadWord | undefined {
  const options: ReadOption[] = [];
  for (let index = 1; index < word.text.length; index++) {
    const name = `-${word.text.charAt(index)}`;
    if (values.has(name)) {
      const isInside = index + 1 < word.text.length;
      const value = isInside ? behind(word, index + (word.text.charAt(index + 1) === "=" ? 2 : 1)) : next;
      return value && { options: [...options, { name, value }], takesNext: !isInside };
    }
    if (!flags.has(name)) return undefined;
    options.push({ name });
  }
  return { options, takesNext: false };
}

/** The values of the options of these names. */
export function valuesOf({ options }: ReadOptions, ...names: readonly string[]): Word[] {
  return options.flatMap(({ name, value }) => (names.includes(name) && value ? [value] : []));
}
