import { isJsonObject, type JsonObject, type JsonValue, setOwnMember } from "@agentprint/canonical-json";
import { formOf, keywordOf } from "@agentprint/json-schema";
import { CALL_KEYWORDS, type CallKeyword, textsOf } from "./call-keywords.ts";

/** Returns the schemas that replace a policy keyword; the value must satisfy them, too. */
export type Replacement = (keyword: CallKeyword, allowed: readonly string[]) => readonly JsonValue[];

/** Returns an `arguments` schema in which JSON Schema keywords replace `path-within` and `url-host`. */
export function replaceKeywords(schema: JsonObject, replacement: Replacement): JsonObject {
  const replaced: JsonObject = {};
  const added: JsonValue[] = [];
  for (const [name, value] of Object.entries(schema)) {
    const own = CALL_KEYWORDS.get(name);
    if (own) added.push(...replacement(own, textsOf(value)));
    else setOwnMember(replaced, name, replaceBelow(name, value, replacement));
  }
  const { allOf = [] } = replaced;
  return added.length === 0 ? replaced : { ...replaced, allOf: [...(allOf as readonly JsonValue[]), ...added] };
}

function replaceBelow(name: string, value: JsonValue, replacement: Replacement): JsonValue {
  const replace = (schema: JsonValue): JsonValue =>
    isJsonObject(schema) ? replaceKeywords(schema, replacement) : schema;
  switch (formOf(keywordOf(name)?.content, value)) {
    case "schema":
      return replace(value);
    case "list":
      return (value as readonly JsonValue[]).map(replace);
    case "by-name":
      return Object.entries(value as JsonObject).reduce<JsonObject>((replaced, [key, schema]) => {
        setOwnMember(replaced, key, replace(schema));
        return replaced;
      }, {});
    default:
      return value;
  }
}
