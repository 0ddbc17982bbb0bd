import { programOf, type Word } from "./words.ts";

/** A program that runs a script among its arguments. */
export interface Interpreter {
  /** The options whose value is the next word. */
  readonly values: ReadonlySet<string>;
  /** The options whose value is code that is loaded, too. */
  readonly code?: ReadonlySet<string>;
  /** The options after which no script file is run, such as `-m` and `-e`. */
  readonly without?: ReadonlySet<string>;
  /** The word before a script, such as `run`, and whether there has to be one. */
  readonly verb?: string;
  readonly isVerbOptional?: boolean;
  /** The option that names the folder at which paths start. */
  readonly folder?: string;
  /** Whether a name without a slash is that of a package. */
  readonly fetches?: boolean;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const NODE: Interpreter = {
  values: set("-C --conditions --env-file --env-file-if-exists --title --tsconfig"),
  code: set("-r --require --import --loader --experimental-loader"),
  without: set("-e --eval -p --print"),
};
const PYTHON: Interpreter = { values: set("-W -X"), without: set("-m -c") };
const SHELL: Interpreter = { values: set("-o"), without: set("-c") };
const UV: Interpreter = {
  values: set("--project --python -p --with --with-editable --with-requirements --extra --group --env-file --index -i"),
  without: set("-m --module"),
  verb: "run",
  folder: "--directory",
};
const DENO: Interpreter = { values: set("-c --config --import-map --lock -L --log-level"), verb: "run" };
const BUN: Interpreter = {
  values: set("--env-file -c --config"),
  code: set("-r --preload"),
  verb: "run",
  isVerbOptional: true,
  folder: "--cwd",
};
/** `-jar` stands right before its file, as if it were a flag. */
const JAVA: Interpreter = { values: set("-cp -classpath --class-path -p --module-path"), without: set("-m --module") };
const OTHER: Interpreter = { values: set("-I -C"), without: set("-e -r") };
const NPX: Interpreter = { values: set("-p --package --registry"), without: set("-c --call"), fetches: true };

const INTERPRETERS: readonly (readonly [name: RegExp, Interpreter])[] = [
  [/^(?:node|nodejs|tsx|ts-node)$/, NODE],
  [/^(?:python[\d.]*|pypy[\d.]*|py)$/, PYTHON],
  [/^(?:sh|bash|zsh|dash|ash|fish)$/, SHELL],
  [/^uv$/, UV],
  [/^deno$/, DENO],
  [/^bun$/, BUN],
  [/^java$/, JAVA],
  [/^(?:ruby|perl|php|lua)[\d.]*$/, OTHER],
  [/^(?:npx|pnpx|bunx)$/, NPX],
];

/** The interpreter of a name without its folder. */
export function interpreterOf(program: string): Interpreter | undefined {
  return INTERPRETERS.find(([name]) => name.test(program))?.[1];
}

/** A script among the words behind an interpreter, and the folder at which its path starts where an option names one. */
export interface Script {
  readonly word: Word;
  readonly folder?: string;
}

/** The scripts that an interpreter is given: code to load first, and the one to run. An unknown option counts as a flag. */
export function scriptsOf(interpreter: Interpreter, words: readonly Word[]): Script[] {
  const { values, code, without, verb, isVerbOptional, folder, fetches = false } = interpreter;
  const scripts: Script[] = [];
  let at: { readonly folder?: string } = {};
  let isVerbAwaited = verb !== undefined;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    const { text } = word;
    if (text.startsWith("-") && text !== "-") {
      const [name = ""] = text.split("=", 1);
      const isJoined = text.length > name.length;
      const value = isJoined
        ? { ...word, text: text.slice(name.length + 1), start: word.start + name.length + 1 }
        : words[index + 1];
      if (without?.has(name)) return scripts;
      const isFolder = name === folder;
      const isCode = code?.has(name) === true;
      if (isFolder && value) at = { folder: value.text };
      if (isCode && value && isPath(value)) scripts.push({ word: value, ...at });
      if (!isJoined && (isFolder || isCode || values.has(name))) index++;
      continue;
    }
    if (isVerbAwaited && text === verb) {
      isVerbAwaited = false;
      continue;
    }
    if (isVerbAwaited && !isVerbOptional) return [];
    const inner = interpreterOf(programOf({ ...word, text: fetches ? text.replace(/(?<=.)@.*$/, "") : text }));
    if (inner !== undefined) return scriptsOf(inner, words.slice(index + 1)).map((script) => ({ ...at, ...script }));
    return fetches && !isPath(word) ? scripts : [...scripts, { word, ...at }];
  }
  return scripts;
}

/** Whether a word is a path by its look, not a name that could be that of a package. */
export function isPath({ text }: Pick<Word, "text">): boolean {
  return /^(?:\.{1,2}$|\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\]|file:)/i.test(text);
}
