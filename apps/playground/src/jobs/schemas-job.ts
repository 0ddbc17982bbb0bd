import { type JsonValue, parseJson } from "@agentprint/canonical-json";
import {
  type CompareSchemasOptions,
  compareSchemas,
  type SchemaChange,
  type SchemaComparison,
} from "@agentprint/schema-diff";
import type { Source } from "./job.ts";
import { readSource } from "./read-source.ts";
import { type ChangedSides, changedSides, shownValue } from "./shown-value.ts";

/** Two JSON Schemas, and the direction in which they are used. */
export interface SchemasInput {
  readonly before: Source;
  readonly after: Source;
  readonly direction: CompareSchemasOptions["direction"];
  readonly values: NonNullable<CompareSchemasOptions["values"]>;
}

/** A change as the page shows it. */
export interface ShownChange extends Pick<SchemaChange, "effect" | "kind" | "message" | "path"> {
  readonly sides: ChangedSides;
}

/** The verdict on a changed schema. */
export interface SchemasResult extends Pick<SchemaComparison, "verdict" | "notes"> {
  /** A value as canonical text, and the schema that accepts it. */
  readonly counterexample?: { readonly value: string; readonly acceptedBy: "before" | "after" };
  /** The first changes; `total` counts all of them. */
  readonly changes: readonly ShownChange[];
  readonly total: number;
}

/** The maximum number of changes shown. */
const MAX_CHANGES = 200;

/**
 * Returns whether a changed schema accepts every value that it accepted before; if not, also a counterexample.
 *
 * @throws {CanonicalJsonError} as `parseJson` does, when a schema is not strict JSON
 * @throws {SchemaDiffError} as `compareSchemas` does, when a schema cannot be read
 */
export async function schemasJob({ before, after, direction, values }: SchemasInput): Promise<SchemasResult> {
  const read = async (source: Source): Promise<JsonValue> => parseJson(await readSource(source));
  const [first, second] = [await read(before), await read(after)];
  const { verdict, counterexample, changes, notes } = compareSchemas(first, second, { direction, values });
  return {
    verdict,
    notes,
    ...(counterexample && {
      counterexample: { value: shownValue(counterexample.value), acceptedBy: counterexample.acceptedBy },
    }),
    changes: changes.slice(0, MAX_CHANGES).map((change) => {
      const { kind, path, effect, message } = change;
      return { kind, path, effect, message, sides: changedSides(change) };
    }),
    total: changes.length,
  };
}
