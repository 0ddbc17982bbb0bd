import { arkTypeAnswers } from "./ark-type.ts";
import type { Answers, LibrarySchema, SchemaView, SchemaWriter } from "./library-schema.ts";
import { writeStable } from "./stable-schema.ts";

type Ask = (options?: object) => unknown;

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
 * const written = schemaWriter(z.number().int().min(1).max(9), "input")?.write();
 * console.log(written?.type === "written" && written.schema);
 * // { $schema: "https://json-schema.org/draft/2020-12/schema", type: "integer", minimum: 1, maximum: 9 }
 *
 * const unstable = z.object({ id: z.string().default(() => crypto.randomUUID()) });
 * console.log(schemaWriter(unstable, "input")?.write().type); // unstable
 * ```
 */
export function schemaWriter(schema: LibrarySchema, view: SchemaView): SchemaWriter | undefined {
  const answers = answersOf(schema, view);
  // Each answer is asked for anew, because a getter of the schema can return another library the next time.
  const ask = (): unknown => answersOf(schema, view)?.ask();
  return answers && { write: () => writeStable(schema, view, ask), isWhole: answers.isWhole };
}

function answersOf(schema: LibrarySchema, view: SchemaView): Answers | undefined {
  if (view === "to-json-schema") {
    const { toJSONSchema } = schema;
    return typeof toJSONSchema === "function" ? whole(() => toJSONSchema.call(schema)) : undefined;
  }
  const { vendor, jsonSchema } = schema["~standard"];
  const write = (jsonSchema as Record<string, unknown> | undefined)?.[view];
  if (typeof write !== "function") return undefined;
  const ask: Ask = (options) => write.call(jsonSchema, { ...TARGET, ...options });
  return vendor === "arktype" ? arkTypeAnswers(ask) : whole(ask);
}

function whole(ask: Ask): Answers {
  return { ask: () => ask(), isWhole: () => true };
}
