import type { JsonObject } from "@agentprint/canonical-json";
import * as z from "zod";
import { PolicySchema } from "./policy-document.ts";

/** A rule as editors offer it. */
export interface OfferedRule {
  readonly id: string;
  readonly summary: string;
}

/**
 * The JSON Schema (2020-12) of a policy, for editors: every member with its description, and the ids of the rules. It accepts
 * other ids of rules, because an id may lack its domain; {@link parsePolicy} decides.
 *
 * @param rules The rules that editors offer.
 * @example
 * ```ts
 * import { policyJsonSchema } from "@agentprint/policy";
 *
 * const schema = policyJsonSchema([{ id: "mcp/item-added", summary: "Something is new." }]);
 * console.log(schema["type"]); // object
 * ```
 */
export function policyJsonSchema(rules: readonly OfferedRule[]): JsonObject {
  const schema = z.toJSONSchema(PolicySchema, {
    io: "input",
    override: ({ jsonSchema }) => {
      // zod states for every record that its names are strings, which is always true.
      delete jsonSchema.propertyNames;
    },
  }) as JsonObject;
  const properties = schema["properties"] as Record<string, JsonObject>;
  const { rules: ofAll, ignores, servers } = properties as Record<"rules" | "ignores" | "servers", JsonObject>;
  const ofServer = (servers["additionalProperties"] as JsonObject)["properties"] as Record<string, JsonObject>;
  schema["$defs"] = { rules: offering(ofAll, rules) };
  properties["rules"] = { $ref: "#/$defs/rules" };
  ofServer["rules"] = { $ref: "#/$defs/rules" };
  const ofIgnore = (ignores["items"] as JsonObject)["properties"] as Record<string, JsonObject>;
  ofIgnore["rule"] = { ...ofIgnore["rule"], examples: rules.map(({ id }) => id) };
  return schema;
}

/** The schema of decisions by rule, with a member for each rule that editors offer. */
function offering(schema: JsonObject, rules: readonly OfferedRule[]): JsonObject {
  const { additionalProperties: decisions, ...others } = schema as JsonObject & { additionalProperties: JsonObject };
  const properties = Object.fromEntries(
    rules.map(({ id, summary }) => [id, { description: summary, $ref: "#/$defs/rules/additionalProperties" }]),
  );
  return { ...others, properties, additionalProperties: decisions };
}
