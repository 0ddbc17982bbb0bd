import { checkArgument } from "../check-argument.ts";
import { arkTypeWriter } from "./ark-type.ts";
import { effectWriter } from "./effect.ts";
import type { LibrarySchema, SchemaView, SchemaWriter } from "./library-schema.ts";

type Write = (options?: object) => unknown;

const TARGET = { target: "draft-2020-12" } as const;

/**
 * Returns what writes the JSON Schema of a library's schema, or `undefined` where the schema cannot write that view.
 *
 * ArkType names the definitions of a recursive schema by a counter of the process. They are numbered by their first reference instead,
 * so that one schema is one text in every process. All other names are kept, because models read them.
 *
 * @throws {@link Error} of a getter of the schema
 * @example
 * ```ts
 * import { schemaWriter } from "@agentprint/json-schema";
 * import { z } from "zod";
 *
 * const writer = schemaWriter(z.number().int().min(1).max(9), "input");
 * console.log(writer?.write()); // { $schema: "https://json-schema.org/draft/2020-12/schema", type: "integer", minimum: 1, maximum: 9 }
 * ```
 */
export function schemaWriter(schema: LibrarySchema, view: SchemaView): SchemaWriter | undefined {
  checkArgument("schema", schema, { "~standard": "object" });
  if (view === "to-json-schema") {
    const { toJSONSchema } = schema;
    return typeof toJSONSchema === "function" ? whole(() => toJSONSchema.call(schema)) : undefined;
  }
  const { vendor, jsonSchema } = schema["~standard"];
  const write = (jsonSchema as Record<string, unknown> | undefined)?.[view];
  if (typeof write !== "function") return undefined;
  const ask: Write = (options) => write.call(jsonSchema, { ...TARGET, ...options });
  if (vendor === "arktype") return arkTypeWriter(ask);
  return vendor === "effect" ? effectWriter(schema, view, ask) : whole(ask);
}

function whole(write: Write): SchemaWriter {
  return { write: () => write(), isWhole: () => true };
}
