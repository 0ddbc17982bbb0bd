import { isObject, toPointer, typeName } from "@agentprint/canonical-json/json-value";
import { isSha256Hex, printable } from "@agentprint/canonical-json/text";
import { ContentHashError } from "../errors.ts";
import { NORMALIZATION_LEVELS } from "../levels.ts";

const KINDS: readonly string[] = [...NORMALIZATION_LEVELS, "symlink"];

/** Refuses the files of a tree that a manifest must not list. */
export function checkTreeFiles(files: unknown): void {
  if (!isObject(files)) throw invalidTree(["files"], "an object", files);
  for (const [path, entry] of Object.entries(files)) {
    const at = ["files", path];
    if (!path.isWellFormed()) throw invalidTree(at, "a path without lone surrogates", path);
    checkMembers(entry, at, ["sha256", "as"]);
    if (!isSha256Hex(entry["sha256"])) {
      throw invalidTree([...at, "sha256"], "64 lowercase hexadecimal digits", entry["sha256"]);
    }
    checkOneOf(entry["as"], [...at, "as"], KINDS);
  }
}

/** Refuses a value that is not an object, or that has a member with any other name. */
export function checkMembers(
  value: unknown,
  at: readonly string[],
  names: readonly string[],
): asserts value is { readonly [name: string]: unknown } {
  if (!isObject(value)) throw invalidTree(at, "an object", value);
  const other = Object.keys(value).find((name) => !names.includes(name));
  if (other !== undefined) throw invalidTree(at, `no members except ${names.join(", ")}`, other);
}

/** Refuses a value that is not one of these texts. */
export function checkOneOf(value: unknown, at: readonly string[], known: readonly string[]): void {
  if (typeof value !== "string" || !known.includes(value)) throw invalidTree(at, known.join(", "), value);
}

/** Returns the error for an invalid manifest, with the place, the expected value and the received value. */
export function invalidTree(at: readonly string[], expected: string, received: unknown): ContentHashError {
  const found = typeof received === "string" ? `"${printable(received)}"` : typeName(received);
  const message = `the manifest of a tree at "${printable(toPointer(at))}": expected ${expected}; received ${found}`;
  return new ContentHashError("INVALID_TREE", message);
}
