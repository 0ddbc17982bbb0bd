import { isJsonObject, type JsonValue } from "@agentprint/canonical-json";

/** Returns a text, or all texts and names in a value, each on a line of its own. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : textsOf(value).join("\n");
}

/** Every text and every name in a value. */
export function textsOf(value: JsonValue): string[] {
  const texts: string[] = [];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") texts.push(next);
    if (isJsonObject(next)) texts.push(...Object.keys(next));
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) open.push(member);
  }
  return texts;
}
