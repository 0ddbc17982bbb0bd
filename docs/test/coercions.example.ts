// Each line of the function turns an unchecked value into text or a number; the test finds every line.
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
    // The test finds none of these lines.
    typeof id === "string" ? `${id}` : "",
    String(list.length),
  ];
}
