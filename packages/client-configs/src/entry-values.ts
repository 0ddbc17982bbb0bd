import { isObject } from "@agentprint/canonical-json/json-value";

/**
 * Thrown if a value in an entry does not have the form that its member requires; the message is one sentence with the
 * value's path.
 */
export class EntryProblem extends Error {
  constructor(path: string, expected: string) {
    super(`${path}: expected ${expected}`);
  }
}

/** The members of an object, by key. */
export type Table = Readonly<Record<string, unknown>>;

/** Reads a value, or throws an {@link EntryProblem} with its path. */
type Read<Value> = (value: unknown, path: string) => Value;

/** Returns whether a value has members; a TOML date is also an object, but has none. */
export function isTable(value: unknown): value is Table {
  return isObject(value) && !(value instanceof Date);
}

/** Returns the result of `read` for a value, or `absent` if there is no value. */
export function readOptional<Value, Absent>(
  value: unknown,
  path: string,
  read: Read<Value>,
  absent: Absent,
): Value | Absent {
  return value === undefined || value === null ? absent : read(value, path);
}

export function readText(value: unknown, path: string): string {
  if (typeof value !== "string") throw new EntryProblem(path, "a text");
  // Neither a lock nor a started program can receive one.
  if (!value.isWellFormed()) throw new EntryProblem(path, "a text without lone surrogates");
  return value;
}

export function readTexts(value: unknown, path: string): string[] {
  return readList(value, path, readText);
}

/** Reads a program, which is given alone or in a list with its arguments. */
export function readCommand(value: unknown, path: string): string[] {
  const words = Array.isArray(value) ? readTexts(value, path) : [readText(value, path)];
  if (words[0]) return words;
  throw new EntryProblem(path, "a program, or a list that begins with one");
}

/** Reads names of variables, each of which is a string or an object with the string as its `name`. */
export function readNames(value: unknown, path: string): string[] {
  return readList(value, path, (item, at) => readText(isObject(item) ? item["name"] : item, at));
}

/** Reads strings by name; a number or a boolean is converted to its text. */
export function readValues(value: unknown, path: string): Record<string, string> {
  return readTable(value, path, readScalar);
}

/** Reads strings by name as {@link readValues} does; `null` removes a variable. */
export function readVariables(value: unknown, path: string): Record<string, string | null> {
  return readTable(value, path, (member, at) => (member === null ? null : readScalar(member, at)));
}

function readScalar(value: unknown, path: string): string {
  if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return String(value);
  throw new EntryProblem(path, "a text, a number or a boolean");
}

function readList<Value>(value: unknown, path: string, read: Read<Value>): Value[] {
  if (Array.isArray(value)) return value.map((item, index) => read(item, `${path}.${index}`));
  throw new EntryProblem(path, "a list");
}

function readTable<Value>(value: unknown, path: string, read: Read<Value>): Record<string, Value> {
  if (!isTable(value)) throw new EntryProblem(path, "an object");
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, read(member, `${path}.${name}`)]));
}
