import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { ItemKind } from "./item-kinds.ts";
import type { ListName, UnreadList } from "./visit-answers.ts";

/**
 * A list that a server offers: the method that requests it, the kind of its items, and the member that names an item.
 */
export interface ListKind {
  readonly list: ListName;
  readonly method: string;
  readonly item: Exclude<ItemKind, "content">;
  readonly key: "name" | "uri" | "uriTemplate";
  /** The capability with which a server declares the list. */
  readonly capability: "tools" | "prompts" | "resources";
  /**
   * The notification with which a server reports that the list changed, and the filter with which a client requests it.
   */
  readonly changed: { readonly method: string; readonly filter: string };
}

const RESOURCES_CHANGED = {
  method: "notifications/resources/list_changed",
  filter: "resourcesListChanged",
};

/** The four lists of MCP. */
export const LISTS: readonly ListKind[] = /* @__PURE__ */ deepFreeze<readonly ListKind[]>([
  {
    list: "tools",
    method: "tools/list",
    item: "tool",
    key: "name",
    capability: "tools",
    changed: { method: "notifications/tools/list_changed", filter: "toolsListChanged" },
  },
  {
    list: "prompts",
    method: "prompts/list",
    item: "prompt",
    key: "name",
    capability: "prompts",
    changed: { method: "notifications/prompts/list_changed", filter: "promptsListChanged" },
  },
  {
    list: "resources",
    method: "resources/list",
    item: "resource",
    key: "uri",
    capability: "resources",
    changed: RESOURCES_CHANGED,
  },
  {
    list: "resourceTemplates",
    method: "resources/templates/list",
    item: "resourceTemplate",
    key: "uriTemplate",
    capability: "resources",
    changed: RESOURCES_CHANGED,
  },
]);

/** The lists that can fail although a server's tools were listed, in sorted order. */
export const UNREAD_LISTS: readonly UnreadList[] = Object.freeze(["prompts", "resourceTemplates", "resources"]);

const BY_METHOD: ReadonlyMap<string, ListKind> = new Map(LISTS.map((kind) => [kind.method, kind]));

/** Returns the list that a method requests, or `undefined`. */
export function listOfMethod(method: string): ListKind | undefined {
  return BY_METHOD.get(method);
}
