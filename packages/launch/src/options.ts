import { behind, type Word } from "./words.ts";

/**
 * An option's role in a launch. The value of a `file` option is the path of code that is preloaded; the value of a
 * `code` option is such a path only if it looks like a path; the value of a `module` option is resolved as Node.js
 * resolves `require`. `gap`: the option's effect is unknown. `stop`: no script follows the option.
 */
export type OptionRole =
  | "file"
  | "code"
  | "module"
  | "envFile"
  | "folder"
  | "package"
  | "variable"
  | "script"
  | "gap"
  | "stop";

/**
 * Options by their effect; each list is a string of words separated by spaces. An option that is not in the lists is
 * unknown.
 */
export interface GrammarText {
  /** Options that stand alone. */
  readonly flags?: string;
  /** Options with a value, which is the next word or follows `=`. */
  readonly values?: string;
  /** Options whose value, if any, follows `=`. */
  readonly optional?: string;
  /** Complete words without a value, such as `-Xmx1g`. */
  readonly pattern?: RegExp;
  /** Whether a word with one dash is a single option rather than several letters. */
  readonly isExact?: boolean;
  /** Whether `_` stands for `-` in an option's name. */
  readonly hasUnderscores?: boolean;
  /** Options without a value after which the code that runs is unknown. */
  readonly gapFlags?: string;
  /** Options without a value after which no script runs from the named place. */
  readonly stopFlags?: string;
  /** Options with a value, by the value's role. */
  readonly roles?: Readonly<Partial<Record<OptionRole, string>>>;
  /** For each option name, the values that are understood; any other value has an unknown effect. */
  readonly understood?: Readonly<Record<string, RegExp>>;
}

/** A program's options by name, including dashes. */
interface Table extends Pick<GrammarText, "pattern" | "isExact" | "hasUnderscores"> {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly optional: ReadonlySet<string>;
  readonly roles: ReadonlyMap<string, OptionRole>;
  readonly understood: ReadonlyMap<string, RegExp>;
}

/**
 * Returns the table of a program's options, which is created on the first call, because a launch uses only a few of all
 * programs.
 */
export type Grammar = () => Table;

export function grammar(text: GrammarText): Grammar {
  let made: Table | undefined;
  return () => {
    made ??= tableOf(text);
    return made;
  };
}

function tableOf(text: GrammarText): Table {
  const { flags, values, optional, gapFlags, stopFlags, roles = {}, understood = {}, ...rest } = text;
  const ofRoles = Object.entries(roles) as [OptionRole, string][];
  return {
    ...rest,
    flags: new Set([...wordsIn(flags), ...wordsIn(gapFlags), ...wordsIn(stopFlags)]),
    values: new Set([...wordsIn(values), ...ofRoles.flatMap(([, names]) => wordsIn(names))]),
    optional: new Set(wordsIn(optional)),
    roles: new Map([
      ...wordsIn(gapFlags).map((name) => [name, "gap"] as const),
      ...wordsIn(stopFlags).map((name) => [name, "stop"] as const),
      ...ofRoles.flatMap(([role, names]) => wordsIn(names).map((name) => [name, role] as const)),
    ]),
    understood: new Map(
      Object.entries(understood).flatMap(([names, values]) => wordsIn(names).map((name) => [name, values] as const)),
    ),
  };
}

function wordsIn(text = ""): string[] {
  return text.split(" ").filter((word) => word !== "");
}

/** An option, the argument that contains it, and its value, if any. */
interface ReadOption {
  readonly name: string;
  readonly word: Word;
  readonly value?: Word;
  readonly role?: OptionRole;
}

/** The options at the beginning of a list of words, and the words after them. */
export interface ReadOptions {
  readonly options: readonly ReadOption[];
  readonly rest: readonly Word[];
  /** The unknown option; nothing after it was read. */
  readonly unread?: Word;
  /** Whether `--` ended the options. */
  readonly isEnded: boolean;
}

/** Reads the options up to the first other word, an unknown option, or an option that ends the options. */
export function readOptions(words: readonly Word[], known: Grammar): ReadOptions {
  const table = known();
  const options: ReadOption[] = [];
  let index = 0;
  for (let word = words[index]; word !== undefined && isOption(word, table); word = words[index]) {
    index++;
    if (word.text === "--") return { options, rest: words.slice(index), isEnded: true };
    const read = readWord(word, words[index], table);
    if (read === undefined) return { options, rest: words.slice(index), unread: word, isEnded: false };
    options.push(...read.options);
    if (read.takesNext) index++;
    if (read.options.some(({ role }) => role === "stop")) break;
  }
  return { options, rest: words.slice(index), isEnded: false };
}

function isOption({ text }: Word, { pattern }: Table): boolean {
  return (text.startsWith("-") && text !== "-") || pattern?.test(text) === true;
}

interface ReadWord {
  readonly options: readonly ReadOption[];
  readonly takesNext: boolean;
}

function readWord(word: Word, next: Word | undefined, table: Table): ReadWord | undefined {
  if (table.pattern?.test(word.text)) return { options: [{ name: word.text, word }], takesNext: false };
  return table.isExact || word.text.startsWith("--") ? readLong(word, next, table) : readShort(word, next, table);
}

function readLong(word: Word, next: Word | undefined, table: Table): ReadWord | undefined {
  const [written = ""] = word.text.split("=", 1);
  const name = table.hasUnderscores ? written.replaceAll("_", "-") : written;
  const { flags, values, optional } = table;
  if (word.text.length > written.length) {
    if (!values.has(name) && !optional.has(name)) return undefined;
    return { options: [option(name, word, table, behind(word, written.length + 1))], takesNext: false };
  }
  if (flags.has(name) || optional.has(name)) return { options: [option(name, word, table)], takesNext: false };
  if (!values.has(name) || next === undefined || isOptionLike(next)) return undefined;
  return { options: [option(name, word, table, next)], takesNext: true };
}

/** Reads short options in one word: `-it`, `-eNAME=value`, `-p name`, and also the long form of a letter, `-p=name`. */
function readShort(word: Word, next: Word | undefined, table: Table): ReadWord | undefined {
  const options: ReadOption[] = [];
  for (let index = 1; index < word.text.length; index++) {
    const name = `-${word.text.charAt(index)}`;
    if (table.values.has(name)) {
      const isInside = index + 1 < word.text.length;
      const value = isInside ? behind(word, index + (word.text.charAt(index + 1) === "=" ? 2 : 1)) : next;
      if (!isInside && next && isOptionLike(next)) return undefined;
      return value && { options: [...options, option(name, word, table, value)], takesNext: !isInside };
    }
    if (!table.flags.has(name)) return undefined;
    options.push(option(name, word, table));
    if (table.roles.get(name) === "stop")
      return index + 1 === word.text.length ? { options, takesNext: false } : undefined;
  }
  return { options, takesNext: false };
}

/** Returns whether some programs read a word as the value of the option before it and others as an option. */
function isOptionLike({ text }: Word): boolean {
  return /^-[^\d\s]\S*$/.test(text);
}

function option(name: string, word: Word, { roles, understood }: Table, value?: Word): ReadOption {
  const isUnderstood = value === undefined || understood.get(name)?.test(value.text) !== false;
  const role = isUnderstood ? roles.get(name) : "gap";
  return { name, word, ...(value && { value }), ...(role && { role }) };
}

/** Returns the values of a role's options. */
export function valuesOf({ options }: Pick<ReadOptions, "options">, wanted: OptionRole): Word[] {
  return options.flatMap(({ role, value }) => (role === wanted && value ? [value] : []));
}
