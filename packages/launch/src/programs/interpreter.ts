import { type GrammarText, grammar } from "../options.ts";
import type { LaunchedFile, ReadProgram } from "../reader.ts";
import { before, isAddress, programOf, type Word } from "../words.ts";

/** Describes how a program runs a script that its words name. */
interface InterpreterText extends GrammarText {
  /** How the script's path is found; `script` if it is the path as written. */
  readonly kind?: LaunchedFile["kind"];
  /** The verb before the script, and whether it may be omitted. */
  readonly verb?: string;
  readonly isVerbOptional?: boolean;
  /** The options after the verb, if they differ from those before it. */
  readonly behindVerb?: GrammarText;
  /** Matches scripts' names; any other first word is unknown. */
  readonly scripts?: RegExp;
  /** Removes the text after the script's path, such as `:app` in `server.py:app`. */
  readonly object?: RegExp;
  /** Whether the program's options may also follow the script. */
  readonly takesLateOptions?: boolean;
}

/**
 * Reads a program that runs the script after its options. The value of an option with the role `script` is the script,
 * and an option with the role `stop` means that no script runs.
 */
export function interpreter({
  kind = "script",
  verb,
  isVerbOptional,
  behindVerb,
  scripts,
  object,
  takesLateOptions,
  ...text
}: InterpreterText): ReadProgram {
  const table = grammar(text);
  const verbTable = behindVerb ? grammar(behindVerb) : table;
  return (reader, call) => {
    let read = reader.options(call, table);
    if (read === undefined) return;
    let options = read.options;
    if (verb !== undefined && read.rest[0]?.text === verb && !read.isEnded) {
      read = reader.options({ ...call, words: read.rest.slice(1), place: read.place }, verbTable);
      if (read === undefined) return;
      options = [...options, ...read.options];
    } else if (verb !== undefined && !isVerbOptional) {
      reader.miss(read.rest[0] ?? call.command, programOf(call.command));
      return;
    }
    const stop = options.find(({ role }) => role === "stop");
    const [named, another] = options.filter(({ role }) => role === "script");
    const script = named?.value ?? read.rest[0];
    if (another !== undefined) reader.miss(another.word);
    if (stop !== undefined || script === undefined) {
      reader.miss(stop?.word ?? call.command);
      return;
    }
    const path = withoutObject(script, object);
    if (isAddress(path) || (scripts !== undefined && !scripts.test(path.text))) {
      reader.miss(script);
      return;
    }
    reader.file(path, kind, read.place);
    if (!takesLateOptions) reader.passOn(named === undefined ? read.rest.slice(1) : read.rest);
  };
}

function withoutObject(script: Word, object: RegExp | undefined): Word {
  const found = object?.exec(script.text);
  return found ? before(script, found.index) : script;
}
