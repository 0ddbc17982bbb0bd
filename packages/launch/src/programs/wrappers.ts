import { type GrammarText, grammar, type ReadOptions, valuesOf } from "../options.ts";
import type { Place, ReadProgram } from "../reader.ts";
import { wordsOfEnvString } from "../shell-words.ts";
import { isAddress, programOf, readTwice, type Word } from "../words.ts";
import { runScript } from "./shells.ts";

/**
 * Describes how a program runs the command after its words. The value of an option with the role `script` is a command
 * line.
 */
interface WrapperText extends GrammarText {
  /** The verbs, one of which precedes the options of `behindVerb`. */
  readonly verbs?: readonly string[];
  readonly behindVerb?: GrammarText;
  /** The number of words between the options and the command. */
  readonly operands?: number;
  /** Whether variables come before the command. */
  readonly assigns?: boolean;
  /** Whether programs are looked up in other places than the `PATH`. */
  readonly hasOwnPrograms?: boolean;
  /** Whether `--` may also follow the command's first word. */
  readonly hasInnerDashes?: boolean;
}

/** Reads a program that runs the command after its options. */
export function wrapper({
  verbs,
  behindVerb,
  operands = 0,
  assigns,
  hasOwnPrograms,
  hasInnerDashes,
  ...text
}: WrapperText): ReadProgram {
  const table = grammar(text);
  const verbTable = behindVerb ? grammar(behindVerb) : table;
  return (reader, call) => {
    let read = reader.options(call, table);
    if (read === undefined) return;
    if (verbs !== undefined) {
      const [verb, ...words] = read.rest;
      if (verb === undefined || !verbs.includes(verb.text))
        return reader.miss(verb ?? call.command, programOf(call.command));
      read = reader.options({ ...call, words, place: read.place }, verbTable);
      if (read === undefined) return;
    }
    const place: Place = hasOwnPrograms ? { ...read.place, hasOwnPrograms } : read.place;
    const [script, another] = valuesOf(read, "script");
    if (another !== undefined) reader.miss(another);
    if (script !== undefined) return runScript(reader, script, place);
    let rest: readonly Word[] = read.rest.slice(operands);
    // If a program treats its operands as options, a second `--` ends its options.
    if (operands > 0 && rest[0]?.text === "--") rest = rest.slice(1);
    if (hasInnerDashes) rest = readTwice(rest[1]?.text === "--" ? rest.filter((_, index) => index !== 1) : rest);
    const [first] = rest;
    if (first && isAddress(first)) return reader.miss(first);
    reader.run(assigns ? reader.withoutAssignments(rest) : rest, place, call.command);
  };
}

const ENV = grammar({
  flags: "-i --ignore-environment -0 --null -v --debug --list-signal-handling",
  optional: "--default-signal --ignore-signal --block-signal",
  values: "-u --unset",
  pattern: /^-$/,
  roles: { folder: "-C --chdir", gap: "-P -a --argv0", stop: "-S --split-string" },
});

/** Reads `env` (https://www.gnu.org/software/coreutils/env): with `-S`, it is replaced by the words in a string. */
export const env: ReadProgram = (reader, call) => {
  const read = reader.options(call, ENV);
  if (read === undefined) return;
  const split = read.options.find(({ role }) => role === "stop")?.value;
  const place = read.options.some(clearsPath) ? { ...read.place, hasOwnPrograms: true } : read.place;
  if (split === undefined) return reader.run(reader.withoutAssignments(read.rest), place, call.command);
  const words = wordsOfEnvString(split);
  if (words === undefined) return reader.miss(split, "env");
  env(reader, { ...call, words: [...words, ...read.rest], place });
};

/** Returns whether an option of `env` removes the `PATH`, so that the program is looked up on the default one. */
function clearsPath({ name, value }: ReadOptions["options"][number]): boolean {
  return name === "-" || name === "-i" || name === "--ignore-environment" || value?.text === "PATH";
}
