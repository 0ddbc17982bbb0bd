import { CanonicalJsonError, fromPointer, type JsonValue, parseText, type Tolerable } from "@agentprint/canonical-json";
import { asPinsError, ToolPinsError } from "../errors.ts";
import { MAX_BYTES, MAX_DEPTH } from "../limits.ts";
import { type ListedTool, readDefinition } from "../tool/read-definition.ts";

/** Returns whether two elements of a listing, given by index, write their numbers alike. */
type WriteAlike = (first: number, second: number) => boolean;

/** Returns the tools of a listing by name, without duplicates: text 13, rule P1. */
export function readListing(tools: unknown, writeAlike: WriteAlike = () => true): Map<string, ListedTool> {
  const listed = new Map<string, ListedTool>();
  const indexes = new Map<string, number>();
  for (const [index, element] of elementsOf(tools)) {
    const tool = readDefinition(element, `/${index}`);
    const first = listed.get(tool.name);
    if (first === undefined) {
      listed.set(tool.name, tool);
      indexes.set(tool.name, index);
    } else if (first.wire !== tool.wire || !writeAlike(indexes.get(tool.name) as number, index)) {
      throw new ToolPinsError("duplicate-name", `/${index}/name`, "Another tool in the list has the same name");
    }
  }
  return listed;
}

/** Yields the elements of an array with their indexes, even if its class overrides `entries`. */
function* elementsOf(tools: unknown): Generator<readonly [number, unknown]> {
  let at = "";
  try {
    if (!Array.isArray(tools)) {
      const message = "Expected the array `tools` of a tools/list result, with all pages";
      throw new ToolPinsError("invalid-definition", at, message);
    }
    for (let index = 0; index < tools.length; index++) {
      at = `/${index}`;
      yield [index, tools[index]];
    }
  } catch (error) {
    throw asPinsError("invalid-definition", at, error);
  }
}

/** Does the same as {@link readListing} for the text of a listing. */
export function readListingText(text: string | Uint8Array): Map<string, ListedTool> {
  const inexact: Tolerable[] = [];
  const tolerate = (found: Tolerable): boolean => found.code === "inexact-number" && inexact.push(found) > 0;
  const limits = { maxDepth: 1 + MAX_DEPTH, maxBytes: MAX_BYTES, exactNumbers: true, tolerate };
  return readListing(readText(text, limits), inexact.length > 0 ? numberTexts(inexact) : undefined);
}

/** Returns the value of a strict JSON text; `tooDeep` is the code if it has more levels. */
export function readText(
  text: string | Uint8Array,
  limits: NonNullable<Parameters<typeof parseText>[1]>,
  tooDeep: "invalid-definition" | "invalid-json" = "invalid-definition",
): JsonValue {
  try {
    return parseText(text, limits);
  } catch (error) {
    const reason = error instanceof CanonicalJsonError ? error.code : "invalid-argument";
    const isKept = reason === "too-large" || reason === "invalid-argument";
    throw asPinsError(isKept ? reason : reason === "too-deep" ? tooDeep : "invalid-json", "", error);
  }
}

/** Compares how elements of a listing write numbers that a double changes. */
function numberTexts(inexact: readonly Tolerable[]): WriteAlike {
  const written = new Map<string, string[]>();
  for (const { path, text } of inexact) {
    const [index = "", ...place] = fromPointer(path);
    written.set(index, [...(written.get(index) ?? []), JSON.stringify([place, text])]);
  }
  const textsOf = (index: number): string => (written.get(String(index)) ?? []).toSorted().join("\n");
  return (first, second) => textsOf(first) === textsOf(second);
}
