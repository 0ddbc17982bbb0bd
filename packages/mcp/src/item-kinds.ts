import { deepFreeze, type JsonObject } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "./check-argument.ts";

/** A kind of item that a server has; `content` is the content that a resource or prompt had when it was read. */
export type ItemKind = "tool" | "prompt" | "resource" | "resourceTemplate" | "content";

/** The kinds in the order in which they are reported. */
export const ITEM_KINDS: readonly ItemKind[] = Object.freeze([
  "tool",
  "prompt",
  "resource",
  "resourceTemplate",
  "content",
]);

const items = {
  tool: { list: "tools", key: "name", words: "tool" },
  prompt: { list: "prompts", key: "name", words: "prompt" },
  resource: { list: "resources", key: "uri", words: "resource" },
  resourceTemplate: { list: "resourceTemplates", key: "uriTemplate", words: "resource template" },
  content: { list: "contents", key: "name", words: "content" },
} as const;

/** For each kind: its list in a session, the member that names an item in that list, and the kind in words. */
export const ITEMS: typeof items = /* @__PURE__ */ deepFreeze(items);

/** Returns the name under which an item is locked. */
export function itemName(kind: ItemKind, definition: JsonObject): string {
  checkArgument(`kind ${JSON.stringify(kind)}`, ITEMS[kind], "object");
  checkArgument("definition", definition, "object");
  return nameAt(definition, ITEMS[kind].key);
}

/** Returns the value of the member that names an item; empty if it is not a string, which never happens in a lock. */
export function nameAt(definition: JsonObject, key: string): string {
  checkArgument("definition", definition, "object");
  checkArgument("key", key, "string");
  const name = definition[key];
  return typeof name === "string" ? name : "";
}
