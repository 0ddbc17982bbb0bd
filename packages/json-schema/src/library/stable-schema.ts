import { canonicalize, type JsonObject, parseCanonical } from "@agentprint/canonical-json";
import type { LibrarySchema, SchemaView, WrittenSchema } from "./library-schema.ts";

const ECMASCRIPT = { profile: "ecmascript" } as const;

/** The canonical text of the first answer of each schema, by view. */
const firstAnswers = new WeakMap<LibrarySchema, Map<SchemaView, string>>();

/** What a library answers about a view, where it answers the same now, a second time, and whenever it was asked before. */
export function writeStable(schema: LibrarySchema, view: SchemaView, ask: () => unknown): WrittenSchema {
  try {
    const text = textOf(ask());
    if (textOf(ask()) !== text || !isFirstAnswer(schema, view, text)) return { type: "unstable" };
    return { type: "written", schema: parseCanonical(text, ECMASCRIPT) as JsonObject | boolean };
  } catch (cause) {
    return { type: "failed", cause };
  }
}

/** The text, because an answer can have getters that read otherwise the next time. */
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
