// Each line of the function makes a text or a number of what was not checked: the test finds every one.
import type { JsonObject, JsonValue } from "../../packages/canonical-json/src/json-value/index.ts";

export function coerce(
  value: unknown,
  json: JsonValue,
  { id }: JsonObject,
  list: readonly JsonValue[],
  text: string,
): unknown[] {
  return [
    String(value),
    `${json}`,
    Number(id),
    `a${1}b${id}`,
    [json].join(),
    list.join(" "),
    BigInt(id as string & JsonObject),
    text + id,
    // And none of these.
    typeof id === "string" ? `${id}` : "",
    String(list.length),
  ];
}
