import {
  CanonicalJsonError,
  canonicalize,
  isJsonObject,
  type JsonObject,
  sha256Hex,
  toPointer,
} from "@agentprint/canonical-json";
import { ToolPinsError } from "../errors.ts";
import { MAX_DEPTH } from "../limits.ts";

/** A tool as plain JSON that nobody can change, with its name and its digest `wire`. */
export interface ListedTool {
  readonly name: string;
  readonly wire: string;
  readonly definition: JsonObject;
  /** Whether no number in it can be an integer beyond ±(2^53 − 1): the canonical text of those has sixteen digits in a row, or an exponent. */
  readonly isExact: boolean;
}

const LONG_NUMBER = /\d{16}|\de\+/;

/** The tool that a value is read as, once: a getter or a `toJSON` that answers differently later changes nothing. `at` leads to the value. */
export function readDefinition(value: unknown, at: string): ListedTool {
  const text = canonicalText(value, at);
  const definition = JSON.parse(text);
  if (!isJsonObject(definition))
    throw new ToolPinsError("invalid-definition", at, "Expected a tool, which is an object");
  const name = Object.hasOwn(definition, "name") ? definition["name"] : undefined;
  if (typeof name !== "string") {
    throw new ToolPinsError(
      "invalid-definition",
      `${at}${toPointer(["name"])}`,
      "Expected a text as the name of a tool",
    );
  }
  return { name, wire: sha256Hex(text), definition, isExact: !LONG_NUMBER.test(text) };
}

/** The canonical text of a definition; `at` leads to it. */
export function canonicalText(value: unknown, at: string): string {
  try {
    return canonicalize(value, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new ToolPinsError("invalid-definition", at + error.path, error.message, { cause: error });
  }
}
