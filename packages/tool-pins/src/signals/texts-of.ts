import { type JsonValue, toPointer } from "@agentprint/canonical-json";

/** Returns a text, or all texts and names in a value, each on its own line. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : textsOf(value).join("\n");
}

/** Returns every text and every name in a value. */
export function textsOf(value: JsonValue): string[] {
  return Array.from(placedTexts(value, false), ([, text]) => text);
}

/** A text or a name, with the RFC 6901 JSON Pointer to the text, or to the member that has the name. */
export type PlacedText = readonly [pointer: string, text: string];

/**
 * Yields every text and every name in an item, in order, except for its icons and the names in `_meta`, which begin
 * with a host in every server's items.
 */
export function textsOfItem(item: JsonValue): Generator<PlacedText> {
  return placedTexts(item, true);
}

function* placedTexts(root: JsonValue, isItem: boolean): Generator<PlacedText> {
  const open: (readonly [pointer: string, value: JsonValue])[] = [["", root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [pointer, value] = next;
    if (typeof value === "string") yield [pointer, value];
    if (typeof value !== "object" || value === null) continue;
    const areNames = !Array.isArray(value) && !(isItem && pointer === "/_meta");
    for (const [key, member] of Object.entries(value).reverse()) {
      const below = pointer + toPointer([key]);
      if (isItem && below === "/icons") continue;
      open.push([below, member]);
      if (areNames) open.push([below, key]);
    }
  }
}
