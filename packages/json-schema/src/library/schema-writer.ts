import { canonicalize, type JsonObject, parseCanonical } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { arkTypeAnswers } from "./ark-type.ts";
import { effectAnswers } from "./effect.ts";
import type { Answers, LibrarySchema, SchemaView, SchemaWriter, WrittenSchema } from "./library-schema.ts";

type Ask = (options?: object) => unknown;

const TARGET = { target: "draft-2020-12" } as const;
const ECMASCRIPT = { profile: "ecmascript" } as const;

/**
 * Returns a writer for the JSON Schema of a library's schema, or `undefined` if the schema cannot write that view.
 *
 * ArkType names the definitions of a recursive schema by a per-process counter. This writer numbers them by their first
 * reference instead, so that a schema has the same text in every process. It keeps all other names, because models read
 * them.
 *
 * @throws {@link Error} that a getter in the schema throws
 * @example
 * ```ts
 * import { schemaWriter } from "@agentprint/json-schema";
 * import { z } from "zod";
 *
 * const written = schemaWriter(z.number().int().min(1).max(9), "input")?.write();
 * console.log(written?.type === "written" && JSON.stringify(written.schema));
 * // {"$schema":"https://json-schema.org/draft/2020-12/schema","maximum":9,"minimum":1,"type":"integer"}
 *
 * const unstable = z.object({ id: z.string().default(() => crypto.randomUUID()) });
 * console.log(schemaWriter(unstable, "input")?.write().type); // unstable
 * ```
 */
export function schemaWriter(schema: LibrarySchema, view: SchemaView): SchemaWriter | undefined {
  checkArgument("schema", schema, "objectOrFunction");
  const answers = answersOf(schema, view);
  // The library is looked up for each result, because a getter in the schema can return a different library the next
  // time.
  const ask = (): unknown => answersOf(schema, view)?.ask();
  return answers && { write: () => writeStable(schema, view, ask), isWhole: answers.isWhole };
}

function answersOf(schema: LibrarySchema, view: SchemaView): Answers | undefined {
  if (view === "to-json-schema") {
    const { toJSONSchema } = schema;
    return typeof toJSONSchema === "function" ? whole(() => toJSONSchema.call(schema)) : undefined;
  }
  const standard = schema["~standard"];
  checkArgument('schema["~standard"]', standard, "objectOrFunction");
  const { vendor, jsonSchema } = standard;
  const write = (jsonSchema as Record<string, unknown> | undefined)?.[view];
  if (typeof write !== "function") return undefined;
  const ask: Ask = (options) => write.call(jsonSchema, { ...TARGET, ...options });
  if (vendor === "arktype") return arkTypeAnswers(ask);
  return vendor === "effect" ? effectAnswers(schema, view, ask) : whole(ask);
}

function whole(ask: Ask): Answers {
  return { ask: () => ask(), isWhole: () => true };
}

/** The canonical text of each schema's first answer, by view. */
const firstAnswers = new WeakMap<LibrarySchema, Map<SchemaView, string>>();

/** Returns a library's result for a view; `unstable` unless a second call and every earlier call returned the same. */
function writeStable(schema: LibrarySchema, view: SchemaView, ask: () => unknown): WrittenSchema {
  try {
    const text = textOf(ask());
    if (textOf(ask()) !== text || !isFirstAnswer(schema, view, text)) return { type: "unstable" };
    return { type: "written", schema: parseCanonical(text, ECMASCRIPT) as JsonObject | boolean };
  } catch (cause) {
    return { type: "failed", cause };
  }
}

/** Returns an answer as text, because its getters can return something else the next time. */
function textOf(answer: unknown): string {
  const isObject = typeof answer === "object" && answer !== null && !Array.isArray(answer);
  if ((isObject && !(answer instanceof Promise)) || typeof answer === "boolean")
    return canonicalize(answer, ECMASCRIPT);
  throw new TypeError(`it answered ${kindOf(answer)}`);
}

function kindOf(answer: unknown): string {
  if (answer instanceof Promise) {
    answer.catch(() => {});
    return "a Promise";
  }
  return Array.isArray(answer) ? "an array" : String(answer);
}

function isFirstAnswer(schema: LibrarySchema, view: SchemaView, text: string): boolean {
  const answers = firstAnswers.get(schema) ?? new Map<SchemaView, string>();
  const first = answers.get(view);
  if (first !== undefined) return first === text;
  firstAnswers.set(schema, answers.set(view, text));
  return true;
}
