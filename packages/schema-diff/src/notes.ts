/** The reason why a part of a schema was not compared. */
export type SchemaNoteCode =
  | "budget"
  | "content"
  | "foreign-keyword"
  | "format"
  | "not-proven"
  | "pattern"
  | "ref-cycle"
  | "remote-ref"
  | "unconfirmed"
  | "unknown-dialect"
  | "unresolved-ref"
  | "unsupported-keyword";

/** A part of a schema that was not compared, its place and the reason. */
export interface SchemaNote {
  readonly code: SchemaNoteCode;
  /**
   * The schema into which `path` points; absent if the note is about the complete comparison, or if only one schema was
   * given.
   */
  readonly schema?: "before" | "after";
  /** RFC 6901 JSON Pointer of the keyword. */
  readonly path: string;
  readonly message: string;
}

/** A part of a schema that is not compared. */
export interface Obstacle {
  readonly code: SchemaNoteCode;
  readonly path: string;
  /** Obstacles with equal keys mean the same statement. */
  readonly key: string;
}

const MESSAGES: Record<SchemaNoteCode, string> = {
  budget: "the comparison was stopped because it used up its steps",
  content: "validators of draft-07 differ on whether the encoding and the media type of a text are asserted",
  "foreign-keyword":
    "the keyword does not belong to the dialect that $schema names, and validators differ on its meaning",
  format: "validators differ on whether a format is asserted",
  "not-proven": "it was not proven that every value stays valid, and no value was found that becomes invalid",
  pattern: "the pattern is malformed, or cannot be turned into a finite automaton",
  "ref-cycle": "the schema applies to the same value through a reference to itself",
  "remote-ref": "the reference leads out of the document, and its target was not fetched",
  unconfirmed: "a value that shows a break was found, but a second reading of the schemas did not confirm it",
  "unknown-dialect": "$schema names a meta-schema that does not belong to JSON Schema",
  "unresolved-ref": "the reference leads nowhere",
  "unsupported-keyword": "the keyword is not evaluated",
};

/** The note for a comparison that was not started because no steps were left. */
export const NO_STEPS_LEFT: SchemaNote = {
  code: "budget",
  path: "",
  message: "the comparison was not made because earlier ones used up the shared steps",
};

/** The note for a comparison that ran out of steps before its first result. */
export const STOPPED: SchemaNote = { code: "budget", path: "", message: MESSAGES.budget };

/** The reason why there is no verdict. */
export type Doubt = "budget" | "not-proven" | "unconfirmed";

const VALUE_MESSAGES: Record<Doubt, string> = {
  budget: "the evaluation was stopped because it used up its steps",
  "not-proven": "validators differ on the value, or it is nested too deeply to be judged",
  unconfirmed: "the value was rejected, but a second reading of the schema did not confirm the rejection",
};

/**
 * Returns the reasons why a value was neither accepted nor rejected: the parts of the schema that were not evaluated;
 * if there are none, `reason`.
 */
export function valueNotes(obstacles: readonly Obstacle[], reason: Doubt): SchemaNote[] {
  const notes = obstacles.map(({ code, path }) => ({ code, path, message: MESSAGES[code] }));
  if (reason === "not-proven" && notes.length > 0) return notes;
  return [...notes, { code: reason, path: "", message: VALUE_MESSAGES[reason] }];
}

/**
 * Returns the notes of a comparison. References that lead out of the documents always become notes; other obstacles
 * become notes only if there is no verdict.
 */
export function describeNotes(
  obstacles: { readonly before: readonly Obstacle[]; readonly after: readonly Obstacle[] },
  undecided: Doubt | undefined,
): SchemaNote[] {
  const notes = (schema: "before" | "after", other: "before" | "after"): SchemaNote[] => {
    const shared = new Set(obstacles[other].map(({ key }) => key));
    return obstacles[schema]
      .filter(({ code, key }) => code.endsWith("-ref") || (undecided && !shared.has(key)))
      .map(({ code, path }) => ({ code, schema, path, message: MESSAGES[code] }));
  };
  const found = [...notes("before", "after"), ...notes("after", "before")];
  const isExplained = undecided === "not-proven" && found.some(({ code }) => !code.endsWith("-ref"));
  if (undecided && !isExplained) found.push({ code: undecided, path: "", message: MESSAGES[undecided] });
  return found;
}
