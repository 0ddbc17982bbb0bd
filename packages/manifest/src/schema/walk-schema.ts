import { isJsonObject, type JsonObject, type JsonValue, type PathSegment } from "@agentprint/canonical-json";
import { EARLIER_SUBSCHEMA_KEYWORDS, SUBSCHEMA_KEYWORDS, type SubschemaPosition } from "@agentprint/schema-diff";

/** With those of earlier drafts that the meta-schema of Draft 2020-12 still knows. */
const POSITIONS: ReadonlyMap<string, SubschemaPosition> = new Map([
  ...[...EARLIER_SUBSCHEMA_KEYWORDS].filter(([keyword]) => keyword === "definitions" || keyword === "dependencies"),
  ...SUBSCHEMA_KEYWORDS,
]);

/** A schema inside a schema. Its path is only put together where one is asked for: most schemas give no cause. */
export interface Subschema {
  readonly schema: JsonObject;
  /** The schema that it stands in, with the keyword and the index or name there; the root stands in none. */
  readonly place:
    | { readonly parent: Subschema; readonly keyword: string; readonly key: PathSegment | undefined }
    | undefined;
}

/** Every object schema in a schema, itself first. Values such as those of `const` and `default` are not schemas. */
export function walkSchema(root: JsonObject): Subschema[] {
  const found: Subschema[] = [{ schema: root, place: undefined }];
  for (const parent of found) {
    const add = (schema: JsonValue, keyword: string, key?: PathSegment): void => {
      if (isJsonObject(schema)) found.push({ schema, place: { parent, keyword, key } });
    };
    for (const keyword in parent.schema) visitSchemas(keyword, parent.schema[keyword] as JsonValue, add);
  }
  return found;
}

/** Where a schema stands in the root. */
export function pathOf({ place }: Subschema): PathSegment[] {
  const path: PathSegment[] = [];
  for (let at = place; at !== undefined; at = at.parent.place) {
    if (at.key !== undefined) path.push(at.key);
    path.push(at.keyword);
  }
  return path.reverse();
}

/** Visits each value that stands where a keyword holds a schema. */
function visitSchemas(
  keyword: string,
  value: JsonValue,
  visit: (schema: JsonValue, keyword: string, key?: PathSegment) => void,
): void {
  const position = POSITIONS.get(keyword);
  if (position === "schema") visit(value, keyword);
  else if (position === "list" && Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) visit(value[index] as JsonValue, keyword, index);
  } else if (position === "by-name" && isJsonObject(value)) {
    for (const name in value) {
      const schema = value[name] as JsonValue;
      if (keyword !== "dependencies" || !Array.isArray(schema)) visit(schema, keyword, name);
    }
  }
}
