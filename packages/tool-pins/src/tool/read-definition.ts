import {
  canonicalText,
  hashText,
  isJsonObject,
  isPlainObject,
  type JsonObject,
  ownMember,
  readCanonical,
  toPointer,
} from "@agentprint/canonical-json";
import { asPinsError, ToolPinsError } from "../errors.ts";
import { MAX_DEPTH } from "../limits.ts";

/** Matches the canonical text of all integers beyond ±(2^53 − 1), and of some others: sixteen digits in a row, or an exponent. */
const LONG_NUMBER = /\d(?:\d{15}|e\+)/;

/** A tool, kept as its canonical text, which cannot change, with its name and its digest `wire`. */
export class ListedTool {
  readonly name: string;
  readonly wire: string;
  readonly #text: string;
  #definition: JsonObject | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.wire = hashText(text);
    this.#text = text;
  }

  /** Returns whether no number in the tool can be an integer beyond ±(2^53 − 1). */
  get isExact(): boolean {
    return !LONG_NUMBER.test(this.#text);
  }

  /**
   * Returns the result of {@link withoutName} for the definition, which is cut from the tool's text if the name occurs
   * only once there.
   */
  get nameless(): string {
    const member = `"name":${JSON.stringify(this.name)}`;
    const [before, after, more] = this.#text.split(member, 3) as [string, string, string | undefined];
    return more === undefined ? `${before}"name":null${after}` : withoutName(this.definition);
  }

  /** Returns the tool as plain JSON, which is created on first use, because most tools never need it. */
  get definition(): JsonObject {
    this.#definition ??= readCanonical(this.#text) as JsonObject;
    return this.#definition;
  }
}

/** Returns a text that is the same for tools that differ only in their names. */
export function withoutName(definition: JsonObject): string {
  return canonicalText({ ...definition, name: null });
}

/**
 * Reads a value as a tool once, so that a getter or a `toJSON` that later answers differently changes nothing. `at` is
 * the pointer to the value.
 */
export function readDefinition(value: unknown, at: string): ListedTool {
  const plain = readPlain(value);
  if (plain !== undefined) return plain;
  const text = definitionText(value, at);
  const definition = readCanonical(text);
  if (!isJsonObject(definition))
    throw new ToolPinsError("invalid-definition", at, "Expected a tool, which is an object");
  const name = ownMember(definition, "name");
  if (typeof name !== "string") {
    throw new ToolPinsError(
      "invalid-definition",
      `${at}${toPointer(["name"])}`,
      "Expected a string as the name of a tool",
    );
  }
  return new ListedTool(name, text);
}

/**
 * Reads a plain object as a tool through a copy, so that nothing can change its name in the meantime; `undefined` for
 * any other value.
 */
function readPlain(value: unknown): ListedTool | undefined {
  try {
    if (!isPlainObject(value)) return undefined;
    const members = { ...value };
    const name = ownMember(members, "name");
    if (typeof name !== "string" || "toJSON" in members) return undefined;
    return new ListedTool(name, canonicalText(members, MAX_DEPTH));
  } catch {
    // Reading the value itself, without a copy, reports the place of the fault.
    return undefined;
  }
}

/** Returns the canonical text of a definition; `at` is the pointer to it. */
export function definitionText(value: unknown, at: string): string {
  try {
    return canonicalText(value, MAX_DEPTH);
  } catch (error) {
    throw asPinsError("invalid-definition", at, error);
  }
}
