import type { JsonChange, JsonValue } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "../check-argument.ts";
import { addedDefinitions, definitionsOf } from "./definitions-of.ts";
import { SchemaMixer } from "./mix-schemas.ts";

/**
 * Returns a function that applies some edits, given by their positions in the list of all edits, to the old schema.
 * Every mixture keeps the definitions that only one of the schemas has.
 *
 * @param edits All edits that lead from the old schema to the new one, as `diffJson` with `pairElements` finds them.
 *
 * @example
 * ```ts
 * import { diffJson } from "@agentprint/canonical-json/json-value";
 * import { createSchemaMixer } from "@agentprint/schema-diff";
 *
 * const [before, after] = [{ type: "string" }, { type: "number", minimum: 1 }];
 * const edits = diffJson(before, after);
 * console.log(edits.map(({ pointer }) => pointer)); // [ '/minimum', '/type' ]
 * console.log(createSchemaMixer(before, after, edits)([1])); // { type: 'number' }
 * ```
 */
export function createSchemaMixer(
  before: JsonValue,
  after: JsonValue,
  edits: readonly JsonChange[],
): (taken: Iterable<number>) => JsonValue {
  checkArgument("edits", edits, ["object"]);
  const definitions = definitionsOf(edits);
  const kept = addedDefinitions(edits, definitions);
  const mixer = new SchemaMixer(
    before,
    after,
    edits.map(({ pointer }) => pointer),
  );
  return (taken) => mixer.mix(new Set([...kept, ...[...taken].filter((edit) => !definitions.has(edit))]));
}
