import { isJsonObject, type JsonObject, type PathSegment } from "@agentprint/canonical-json";
import type { Draft } from "../issue.ts";
import { listOf, member, mentions, show } from "../json.ts";
import { MAX_LISTED } from "../limits.ts";
import { checkSchema } from "./check-schema.ts";
import { pathOf, walkSchema } from "./walk-schema.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
const DIALECT: ReadonlySet<string> = new Set(["$schema"]);

/** What breaks JSON Schema Draft 2020-12 in the `input_schema` of each tool, up to one more issue than can be listed. */
export function checkInputSchemas(manifest: unknown): Draft[] {
  const found: Draft[] = [];
  for (const [index, tool] of listOf(manifest, "tools").entries()) {
    const schema = member(tool, "input_schema");
    if (!isJsonObject(schema)) continue;
    for (const draft of checkInputSchema(schema, ["tools", index, "input_schema"])) {
      if (found.push(draft) > MAX_LISTED) return found;
    }
  }
  return found;
}

function* checkInputSchema(schema: JsonObject, at: PathSegment[]): Iterable<Draft> {
  const isWithin = Object.values(schema).some((value) => mentions(value, DIALECT));
  for (const subschema of isWithin ? walkSchema(schema) : [{ schema, place: undefined }]) {
    const dialect = member(subschema.schema, "$schema");
    if (typeof dialect !== "string" || dialect === DRAFT || dialect === `${DRAFT}#`) continue;
    const message = `Expected "${DRAFT}" or no $schema, received ${show(dialect)}`;
    yield { code: "INPUT_SCHEMA_WRONG_DIALECT", path: [...at, ...pathOf(subschema), "$schema"], message };
  }
  for (const { path, message } of checkSchema(schema, MAX_LISTED + 1)) {
    yield { code: "INPUT_SCHEMA_INVALID", path: [...at, ...path], message };
  }
}
