import type { JsonValue, PathSegment } from "@agentprint/canonical-json";
import type { Draft } from "../issue.ts";
import { isObject, listOf, member, show } from "../json.ts";
import { metaSchemaErrors } from "./meta-schema.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** What breaks JSON Schema Draft 2020-12 in the `input_schema` of any tool. */
export function checkInputSchemas(manifest: unknown): Draft[] {
  return listOf(manifest, "tools").flatMap((tool, index) => {
    const schema = member(tool, "input_schema");
    return isObject(schema) ? checkInputSchema(schema, ["tools", index, "input_schema"]) : [];
  });
}

function checkInputSchema(schema: { readonly [keyword: string]: JsonValue }, at: PathSegment[]): Draft[] {
  const found: Draft[] = [];
  const dialect = member(schema, "$schema");
  if (typeof dialect === "string" && dialect !== DRAFT && dialect !== `${DRAFT}#`) {
    const message = `Expected "${DRAFT}" or no $schema, received ${show(dialect)}`;
    found.push({ code: "INPUT_SCHEMA_WRONG_DIALECT", path: [...at, "$schema"], message });
  }
  for (const { path, message } of metaSchemaErrors(schema)) {
    found.push({
      code: "INPUT_SCHEMA_INVALID",
      path: [...at, ...path],
      message: `Expected JSON Schema Draft 2020-12: ${message}`,
    });
  }
  return found;
}
