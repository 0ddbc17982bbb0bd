import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { ListKind } from "@agentprint/mcp";
import { nameFault } from "../read/read-shape.ts";

/** A page of a list that cannot be read, or that clients cannot read. */
export class UnreadablePage extends Error {
  /** The ids of the rules by which the page is refused. */
  readonly findings: readonly string[];

  constructor(reason: string, findings: readonly string[] = []) {
    super(reason);
    this.findings = findings;
  }
}

/** Returns the items of a page. */
export function itemsOf(page: JsonObject, { list }: ListKind): readonly JsonObject[] {
  const items = page[list];
  if (!Array.isArray(items)) throw new UnreadablePage(`a page has an array of ${list}`);
  for (const item of items) {
    if (!isJsonObject(item)) throw new UnreadablePage("an item is an object");
    const { annotations } = item;
    const fault = nameFault(item) ?? (isJsonObject(annotations) ? nameFault(annotations) : undefined);
    if (fault) throw new UnreadablePage(fault.reason);
  }
  return items as JsonObject[];
}

/** Returns the name of an item, or the address of a resource. */
export function nameOf(item: JsonObject, { key }: ListKind): string {
  const name = item[key];
  if (typeof name !== "string") throw new UnreadablePage(`an item has a string as ${key}`);
  return name;
}
