import { dirname, isAbsolute, resolve } from "node:path";
import { canonicalize } from "@agentprint/canonical-json";
import {
  codeVariablesOfLaunch,
  type Launch,
  launchCoverage,
  launchedEnvFiles,
  launchedFiles,
  launchedPackages,
  plainDataOf,
} from "@agentprint/launch";
import { REDACTED, redactLaunch } from "@agentprint/launch/redact";
import { loadsCode } from "../launch/loading-variables.ts";
import { type LaunchContext, partsOf, predefinedValue, qualifyVariables, type Reference } from "../launch/variables.ts";
import { realLockPath } from "../lock/lock-path.ts";

/** A launch of a command. */
type StdioLaunch = Extract<Launch, { type: "stdio" }>;

/** A reference whose value decides which code is started but is unknown to the guard. */
export interface Undecided {
  readonly variable: string;
  /** The RFC 6901 JSON Pointer of the word, relative to the launch. */
  readonly pointer: string;
}

/** The text that a client put in the place of a reference. */
interface Filled {
  readonly reference: Reference;
  readonly value: string;
  /** Whether the text is the reference's fallback, which means that the variable is not set. */
  readonly isFallback?: true;
  /** Whether the client left the reference as it is written in the configuration. */
  readonly isWritten?: true;
  /** The offset in the received argument of a text that the guard cannot know. */
  readonly start?: number;
}

/** A word that the client passed, with the pinned one. */
interface Word {
  readonly parts: readonly (string | Reference)[];
  readonly pinned: string;
  readonly came: string;
}

/** Stands for a text that the guard cannot know. */
const PLACEHOLDER = "x";
const CONTROL = /\p{Cc}/u;

/**
 * Returns the folders that `${workspaceFolder}` may refer to: the folder of a lock and those above it, both by the path
 * of the lock as given, and with all links resolved.
 */
export function workspaceFolders(lock: string): string[] {
  const path = resolve(lock);
  return [...new Set([path, realLockPath(path)].flatMap((each) => foldersAbove(each)))];
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/**
 * Compares the words that a client passed with those of a pinned launch, whose references the client has filled in.
 *
 * - `${workspaceFolder}` is one of the folders, the same in all words; `${userHome}` and the separators are those of this machine.
 * - A variable that the guard has must have the same value. Any other reference may stand for any text without control
 *   characters and without a leading `-`, in an argument that is plain data, one such reference per argument.
 * - A reference has one value in all arguments, and an argument that the client left as in the configuration is the
 *   pinned one.
 *
 * @returns Whether they are the same; if they differ only where the guard cannot know a reference's value, that
 * reference
 */
export function compareGivenWords(
  context: LaunchContext,
  launch: StdioLaunch,
  given: readonly string[],
  folders: readonly string[],
): boolean | Undecided {
  const pinned = [launch.command, ...launch.args];
  if (pinned.length !== given.length) return false;
  const shown = pinned.some((text) => text.includes(REDACTED)) ? redactedWords(launch, given) : given;
  const words = pinned.map((text, index): Word => {
    const came = (text.includes(REDACTED) ? shown : given)[index] ?? "";
    return { parts: partsOf(text), pinned: text, came };
  });
  let undecided: Undecided | undefined;
  for (const folder of candidates(context, words, folders)) {
    const result = compareIn(context, launch, words, folder);
    if (result === true) return true;
    undecided ??= result === false ? undefined : result;
  }
  return undecided ?? false;
}

/**
 * Returns the folders to try: one if no argument names the workspace, and otherwise also the names that an argument may
 * use for a link to one of them.
 */
function candidates(context: LaunchContext, words: readonly Word[], folders: readonly string[]): readonly string[] {
  const isFolder = (part: string | Reference): boolean => typeof part !== "string" && part.name === "workspaceFolder";
  const isBase = (part: string | Reference): boolean =>
    typeof part !== "string" && part.name === "workspaceFolderBasename";
  const word = words.find(({ parts }) => parts.some(isFolder));
  if (word === undefined) return words.some(({ parts }) => parts.some(isBase)) ? folders : folders.slice(0, 1);
  const at = word.parts.findIndex(isFolder);
  const [before, after] = [word.parts.slice(0, at), word.parts.slice(at + 1)].map((parts) =>
    parts.map((part) => textOf(context, part, "") ?? "").join(""),
  ) as [string, string];
  const named = between(word.came, before, after);
  const isLink = named !== undefined && isAbsolute(named) && folders.includes(realLockPath(named));
  return isLink ? [...new Set([...folders, named])] : folders;
}

/** Returns the text of a part, or of its fallback; `undefined` if only the client knows it. */
function textOf(context: LaunchContext, part: string | Reference, workspace: string): string | undefined {
  return typeof part === "string" ? part : (knownValue(context, part, workspace) ?? part.fallback);
}

function knownValue({ env }: LaunchContext, reference: Reference, workspace: string): string | undefined {
  return reference.variable === undefined ? predefinedValue(reference, workspace) : env[reference.variable];
}

/** Returns the part of a text between two others; `undefined` if the text does not begin and end with them. */
function between(text: string, before: string, after: string): string | undefined {
  const isAround = text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return isAround ? text.slice(before.length, text.length - after.length) : undefined;
}

function redactedWords(launch: StdioLaunch, given: readonly string[]): readonly string[] {
  const shown = redactLaunch(withWords(launch, given));
  return shown.type === "stdio" ? [shown.command, ...shown.args] : [];
}

function compareIn(
  context: LaunchContext,
  launch: StdioLaunch,
  words: readonly Word[],
  folder: string,
): boolean | Undecided {
  const filled: Filled[][] = [];
  for (const word of words) {
    const found = fillWord(context, word, folder);
    if (found === undefined) return false;
    filled.push(found);
  }
  if (!haveOneValue(filled.flat())) return false;
  const undecided = firstUndecided(launch, words, filled);
  if (undecided !== undefined) return undecided;
  const values = filled.flat().filter(({ isWritten }) => isWritten === undefined);
  context.hidden.hide(values.map(({ reference, value }) => ({ name: reference.variable ?? "", value })));
  return true;
}

/**
 * Returns the values of a word's variables, found in the word that came; `undefined` if that word is a different one.
 */
function fillWord(context: LaunchContext, { parts, pinned, came }: Word, folder: string): Filled[] | undefined {
  const variables = parts.filter((part): part is Reference => typeof part !== "string" && part.variable !== undefined);
  if (came === pinned || qualifyVariables(came) === pinned)
    return variables.map((reference) => ({ reference, value: reference.text, isWritten: true }));
  const texts = parts.map((part) => textOf(context, part, folder));
  const isUnset = (part: string | Reference): boolean =>
    typeof part !== "string" && knownValue(context, part, folder) === undefined;
  const known = (reference: Reference): Filled => ({
    reference,
    value: textOf(context, reference, folder) ?? "",
    ...(isUnset(reference) && { isFallback: true }),
  });
  if (!texts.includes(undefined) && texts.join("") === came) return variables.map(known);
  const [open, another] = parts.filter(isUnset);
  if (open === undefined || typeof open === "string" || another !== undefined) return undefined;
  const at = parts.indexOf(open);
  const before = texts.slice(0, at).join("");
  const value = between(came, before, texts.slice(at + 1).join(""));
  if (value === undefined || CONTROL.test(value) || value.startsWith("-")) return undefined;
  return variables.map((each) => (each === open ? { reference: each, value, start: before.length } : known(each)));
}

/**
 * Returns whether each reference has only one value: a variable never has two values, and is never both set and left to
 * a fallback.
 */
function haveOneValue(filled: readonly Filled[]): boolean {
  const first = new Map<string, Filled>();
  return filled.every((each) => {
    const known = first.get(each.reference.name) ?? each;
    first.set(each.reference.name, known);
    return known.value === each.value || (known.isFallback === true && each.isFallback === true);
  });
}

/** Returns the first text that the guard cannot know and that is not plain data. */
function firstUndecided(
  launch: StdioLaunch,
  words: readonly Word[],
  filled: readonly (readonly Filled[])[],
): Undecided | undefined {
  const open = filled.flatMap((found, index) =>
    found.flatMap(({ reference, value, start }) => (start === undefined ? [] : [{ reference, value, start, index }])),
  );
  if (open.length === 0) return undefined;
  const came = words.map((word) => word.came);
  const plain = came.map((word, index) => {
    const found = open.find((each) => each.index === index);
    return found ? word.slice(0, found.start) + PLACEHOLDER + word.slice(found.start + found.value.length) : word;
  });
  const data = plainDataOf(withWords(launch, plain));
  const isPlain = ({ index, start }: (typeof open)[number]): boolean =>
    data.some(
      (part) => part.argument === index - 1 && part.start <= start && !(part.variable && loadsCode(part.variable)),
    );
  const wrong =
    readingOf(withWords(launch, plain)) === readingOf(withWords(launch, came))
      ? open.find((each) => !isPlain(each))
      : open[0];
  if (wrong === undefined) return undefined;
  const pointer = wrong.index === 0 ? "/command" : `/args/${wrong.index - 1}`;
  return { variable: wrong.reference.variable ?? "", pointer };
}

/** Returns everything that is read from a launch, except the text of its plain data, as one text. */
function readingOf(launch: StdioLaunch): string {
  const read = [
    launchCoverage(launch),
    launchedFiles(launch),
    // The values of variables are among the options of a container.
    launchedPackages(launch).map(({ options: _, ...named }) => named),
    launchedEnvFiles(launch),
    codeVariablesOfLaunch(launch),
    plainDataOf(launch),
  ];
  return canonicalize(read, { profile: "ecmascript" });
}

function withWords(launch: StdioLaunch, [command = "", ...args]: readonly string[]): StdioLaunch {
  return { ...launch, command, args };
}
