import type { JsonObject } from "@agentprint/canonical-json";
import type { Rule } from "@agentprint/findings";
import * as z from "zod";
import { checkArgument } from "../check-argument.ts";
import { SETTINGS_SCHEMAS } from "../settings/settings-schema.ts";
import { PolicySchema } from "./policy-document.ts";

/**
 * Returns the JSON Schema of a policy for editors (draft-07, the usual draft on SchemaStore), with a description of
 * every member and with the rule ids. It also accepts other rule ids, because an id may lack its domain; {@link
 * parsePolicy} decides whether they are valid.
 *
 * @param rules The rules that editors suggest, by id.
 * @example
 * ```ts
 * import { policyJsonSchema } from "@agentprint/policy";
 *
 * const schema = policyJsonSchema({ "mcp/item-added": { summary: "Something is new." } });
 * console.log(schema["type"]); // object
 * ```
 */
export function policyJsonSchema(rules: OfferedRules): JsonObject {
  checkArgument("rules", rules, "object");
  const schema = z.toJSONSchema(PolicySchema, {
    io: "input",
    target: "draft-7",
    override: ({ jsonSchema }) => {
      // zod states for every record that its names are strings, which is always true.
      delete jsonSchema.propertyNames;
    },
  }) as JsonObject;
  const properties = schema["properties"] as Record<string, JsonObject>;
  const { rules: ofAll, ignores, servers } = properties as Record<"rules" | "ignores" | "servers", JsonObject>;
  const ofServer = (servers["additionalProperties"] as JsonObject)["properties"] as Record<string, JsonObject>;
  properties["rules"] = { $ref: "#/definitions/rules" };
  ofServer["rules"] = { $ref: "#/definitions/rules" };
  const ofIgnore = (ignores["items"] as JsonObject)["properties"] as Record<string, JsonObject>;
  ofIgnore["rule"] = { ...ofIgnore["rule"], examples: Object.keys(rules) };
  Object.assign(properties, SETTINGS_SCHEMAS);
  const { $schema, ...shape } = schema as JsonObject & { readonly $schema: string };
  return {
    $schema,
    $id: "https://json.schemastore.org/agentprint.config.json",
    title: "agentprint.config.json",
    description: "What agentprint decides about changes to MCP servers, and how it visits them.",
    ...shape,
    definitions: { rules: offering(ofAll, rules) },
  };
}

type OfferedRules = Readonly<Record<string, Pick<Rule, "summary">>>;

/** Returns the schema of decisions by rule, with a member for each rule that editors suggest. */
function offering(schema: JsonObject, rules: OfferedRules): JsonObject {
  const { additionalProperties: decisions, ...others } = schema as JsonObject & { additionalProperties: JsonObject };
  const properties = Object.fromEntries(
    Object.entries(rules).map(([id, { summary }]) => [
      id,
      // Draft-07 ignores everything next to a `$ref`.
      { description: summary, allOf: [{ $ref: "#/definitions/rules/additionalProperties" }] },
    ]),
  );
  return { ...others, properties, additionalProperties: decisions };
}
