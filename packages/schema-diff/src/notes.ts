import type { Compiler, Obstacle } from "./compile/compiler.ts";

/** Why something could not be judged. */
export type SchemaNoteCode =
  | "budget"
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

/** What was not judged, where and why. */
export interface SchemaNote {
  readonly code: SchemaNoteCode;
  /** The schema that `path` points into; absent where the note is about the whole, or only one schema was given. */
  readonly schema?: "before" | "after";
  /** RFC 6901 JSON Pointer of the keyword. */
  readonly path: string;
  readonly message: string;
}

const MESSAGES: Record<SchemaNoteCode, string> = {
  budget: "the comparison was stopped: it takes more steps than it may",
  "foreign-keyword": "the keyword does not belong to the dialect that $schema names; validators differ on it",
  format: "validators differ on whether a format is asserted",
  "not-proven": "no rule proves that every value stays valid, and no value was found that does not",
  pattern: "the pattern is no regular expression of ECMA-262 that an automaton can carry",
  "ref-cycle": "the schema refers to itself without going into the value",
  "remote-ref": "the reference leads out of the document; it was not fetched",
  unconfirmed: "a value was found that ajv, reading the schemas as written, did not judge in the same way",
  "unknown-dialect": "$schema names a meta-schema that is not one of JSON Schema's own",
  "unresolved-ref": "the reference leads nowhere",
  "unsupported-keyword": "the keyword is not evaluated",
};

/** Beside a comparison that was not made. */
export const NO_STEPS_LEFT: SchemaNote = {
  code: "budget",
  path: "",
  message: "the comparison was not made: those before it took all steps",
};

/** Beside a comparison that was ended before anything was judged. */
export const STOPPED: SchemaNote = { code: "budget", path: "", message: MESSAGES.budget };

type Doubt = "budget" | "not-proven" | "unconfirmed";

const VALUE_MESSAGES: Record<Doubt, string> = {
  budget: "the evaluation was stopped: it takes more steps than it may",
  "not-proven": "validators differ on the value, or it is nested too deeply to be judged",
  unconfirmed: "the value was rejected here, but ajv, reading the schema as written, did not reject it",
};

/** Why a value was neither accepted nor rejected: what the schema holds that is not judged, else the reason given. */
export function valueNotes(obstacles: readonly Obstacle[], reason: Doubt): SchemaNote[] {
  const notes = obstacles.map(({ code, path }) => ({ code, path, message: MESSAGES[code] }));
  if (reason === "not-proven" && notes.length > 0) return notes;
  return [...notes, { code: reason, path: "", message: VALUE_MESSAGES[reason] }];
}

/** References that lead out of the documents are always told, the other obstacles when there is no verdict. */
export function describeNotes(
  [before, after]: readonly [Compiler, Compiler],
  undecided: Doubt | undefined,
): SchemaNote[] {
  const obstacles = { before: before.obstacles(), after: after.obstacles() };
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
