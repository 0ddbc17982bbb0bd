import type { JsonChange } from "@agentprint/canonical-json/json-value";

/** Returns the positions of edits that add or remove a complete definition, or all definitions. */
export function definitionsOf(edits: readonly JsonChange[]): ReadonlySet<number> {
  const isDefinition = ({ pointer, before, after }: JsonChange): boolean =>
    /^\/(?:\$defs|definitions)(?:\/[^/]*)?$/.test(pointer) && (before === undefined || after === undefined);
  return new Set([...edits.keys()].filter((edit) => isDefinition(edits[edit] as JsonChange)));
}

/**
 * Returns the positions of definitions that only the new schema has; every mixture has these and all of the old
 * schema's definitions.
 */
export function addedDefinitions(edits: readonly JsonChange[], definitions: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...definitions].filter((edit) => edits[edit]?.before === undefined));
}
