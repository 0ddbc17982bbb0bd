import { diffJson, isJsonObject, type JsonChange, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import type { ItemKind } from "@agentprint/mcp";

/** The kind of an item that is listed but is not a tool. */
type ListedKind = Exclude<ItemKind, "tool" | "content">;

/** A change to a prompt, a resource, a template or a content. */
export interface ItemChange extends JsonChange {
  /** Present if a previously valid request may now fail, or its answer may not be understood. */
  readonly breaks?: true;
  /**
   * The states that have only the content's digest, so that no difference in text can be shown; absent if both have the
   * text.
   */
  readonly unkept?: "before" | "after" | "both";
}

/**
 * Returns the changes to a listed item that is not a tool, according to the interfaces `Prompt`, `Resource` and
 * `ResourceTemplate` of MCP 2025-11-25.
 */
export function itemChanges(kind: ListedKind, before: JsonObject, after: JsonObject): ItemChange[] {
  const canBreak = breakingPlaces(kind, before, after);
  return diffJson(before, after).map((change) => (canBreak(change) ? { ...change, breaks: true } : change));
}

/** Returns a function that reports whether a change to an item can break a caller. */
function breakingPlaces(kind: ListedKind, before: JsonObject, after: JsonObject): (change: JsonChange) => boolean {
  switch (kind) {
    case "prompt":
      return takesTheSame(before["arguments"], after["arguments"]) ? () => false : breaksArguments;
    case "resource":
    case "resourceTemplate":
      // Readers of the resource rely on its MIME type.
      return ({ pointer, before: form }) => pointer === "/mimeType" && form !== undefined;
  }
}

/** A place in a prompt's arguments that does not affect which arguments are accepted. */
const BESIDE_ARGUMENTS = /^\/arguments\/\d+\/(?!(?:name|required)$)/;

/** Returns whether a change can be the reason why a prompt no longer accepts the same arguments. */
function breaksArguments({ pointer, before, after }: JsonChange): boolean {
  if (!/^\/arguments(?:\/|$)/.test(pointer) || BESIDE_ARGUMENTS.test(pointer)) return false;
  if (pointer.endsWith("/required")) return after === true;
  const isNew = before === undefined && isJsonObject(after);
  return !isNew || argumentsByName([after]) === undefined || after["required"] === true;
}

/** Returns whether every argument is still accepted and none became required; the order does not matter. */
function takesTheSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  const [from, to] = [argumentsByName(before), argumentsByName(after)];
  if (from === undefined || to === undefined) return false;
  return (
    [...from.keys()].every((name) => to.has(name)) &&
    [...to].every(([name, isRequired]) => !isRequired || from.get(name) === true)
  );
}

/** Returns, by argument name, whether the argument is required; `undefined` if this is not certain. */
function argumentsByName(list: JsonValue | undefined): ReadonlyMap<string, boolean> | undefined {
  const found = new Map<string, boolean>();
  if (list === undefined) return found;
  if (!Array.isArray(list)) return undefined;
  for (const each of list) {
    const { name, required = false } = isJsonObject(each) ? each : {};
    if (typeof name !== "string" || typeof required !== "boolean" || found.has(name)) return undefined;
    found.set(name, required);
  }
  return found;
}
