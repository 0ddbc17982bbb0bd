import { CanonicalJsonError } from "@agentprint/canonical-json";
import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { createValueEvaluator, SchemaDiffError, type ValueVerdict } from "@agentprint/schema-diff";

/** The result of judging a value against a schema. */
export type Fit =
  | { readonly fits: "yes" }
  /** `place` is the JSON Pointer of the first place that does not fit. */
  | { readonly fits: "no"; readonly place: string }
  /** Undecided. `isFormat` means that only the assertion of a format is undecided. */
  | { readonly fits: "unknown"; readonly isFormat: boolean };

type Judge = (value: JsonValue) => Fit;

const FITS: Fit = { fits: "yes" };

/** Judges arguments and results against the schemas of definitions; each schema is compiled once. */
export class DefinitionJudge {
  readonly #inputs = new WeakMap<JsonObject, Judge>();
  readonly #outputs = new WeakMap<JsonObject, Judge>();

  /** Judges the arguments of a call against the input schema. */
  input(definition: JsonObject, value: JsonValue): Fit {
    return judgeOf(this.#inputs, definition, definition["inputSchema"])(value);
  }

  /** Judges structured content against the output schema. */
  output(definition: JsonObject, value: JsonValue): Fit {
    return judgeOf(this.#outputs, definition, definition["outputSchema"])(value);
  }
}

function judgeOf(known: WeakMap<JsonObject, Judge>, definition: JsonObject, schema: JsonValue | undefined): Judge {
  const before = known.get(definition);
  if (before) return before;
  const judge = compile(schema);
  known.set(definition, judge);
  return judge;
}

function compile(schema: JsonValue | undefined): Judge {
  if (schema === undefined) return () => FITS;
  try {
    const judge = createValueEvaluator(schema, { areParsed: true });
    return (value) => unlessUnreadable(() => fitOf(judge(value)));
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    return () => UNKNOWN;
  }
}

const UNKNOWN: Fit = { fits: "unknown", isFormat: false };

/** Returns `UNKNOWN` for a value with a lone surrogate, because it has no canonical text to compare. */
function unlessUnreadable(judge: () => Fit): Fit {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof SchemaDiffError || error instanceof CanonicalJsonError)) throw error;
    return UNKNOWN;
  }
}

function fitOf(verdict: ValueVerdict): Fit {
  if (verdict.verdict === "accepts") return FITS;
  if (verdict.verdict === "rejects") return { fits: "no", place: verdict.places[0]?.valuePath ?? "" };
  const open = verdict.notes.filter(({ code }) => code !== "not-proven");
  return { fits: "unknown", isFormat: open.length > 0 && open.every(({ code }) => code === "format") };
}
