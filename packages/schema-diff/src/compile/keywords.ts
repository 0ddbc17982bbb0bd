import { canonicalize, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import { type StepBudget, UNITS_A_STEP } from "../budget.ts";
import { samplesOf } from "../formats.ts";
import { ALL, ARRAY, FRACTION, kindOf, maskOfType, NULL, NUMBER, OBJECT, STRING } from "../kinds.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import type {
  BoundConstraint,
  Constraint,
  EnumConstraint,
  OpaqueConstraint,
  RequiredConstraint,
  SizeConstraint,
} from "../schema-graph.ts";
import type { Statement } from "./combine.ts";

/** Thrown for a keyword whose value the meta-schemas forbid. */
export class InvalidKeyword extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** One keyword of one schema object. */
export interface Keyword {
  readonly value: JsonValue;
  readonly pointer: string;
}

/** Keywords that some validators assert and others treat as annotations, with the code of the note about them. */
export const DOUBTFUL = { contentEncoding: "content", contentMediaType: "content", format: "format" } as const;

/** Returns whether validators differ on a keyword, as they do on `format`. */
export function isDoubtful(keyword: string): keyword is keyof typeof DOUBTFUL {
  return Object.hasOwn(DOUBTFUL, keyword);
}

const SIZES: readonly (readonly [SizeConstraint["type"], number])[] = [
  ["minLength", STRING],
  ["maxLength", STRING],
  ["minItems", ARRAY],
  ["maxItems", ARRAY],
  ["minProperties", OBJECT],
  ["maxProperties", OBJECT],
];

/**
 * Returns the statements of the keywords without schemas. `read` returns a keyword that is present and belongs to the
 * dialect.
 */
export function readAssertions(read: (keyword: string) => Keyword | undefined, budget: StepBudget): Statement[] {
  const constraints: Constraint[] = [];
  const type = read("type");
  const statements: Statement[] = [{ kinds: type ? readType(type, read("nullable")) : ALL, constraints }];
  for (const name of ["enum", "const"]) {
    const keyword = read(name);
    if (keyword)
      statements.push(readValues(keyword, name === "const" ? [keyword.value] : expectArray(keyword), budget));
  }
  constraints.push(...readBounds("minimum", read("minimum"), read("exclusiveMinimum")));
  constraints.push(...readBounds("maximum", read("maximum"), read("exclusiveMaximum")));
  const multiple = read("multipleOf");
  if (multiple) {
    const value = expectNumber(multiple);
    if (value <= 0) throw invalid(multiple, "a number above 0");
    if (value !== 1) constraints.push({ type: "multipleOf", kinds: NUMBER, pointer: multiple.pointer, value });
    else statements.push({ kinds: ALL & ~FRACTION, constraints: [] });
  }
  for (const [type, kinds] of SIZES) {
    const keyword = read(type);
    if (!keyword) continue;
    const value = expectSize(keyword);
    if (value > 0 || type.startsWith("max")) constraints.push({ type, kinds, pointer: keyword.pointer, value });
  }
  constraints.push(...readText(read("pattern"), budget), ...readFormat(read("format")));
  const unique = read("uniqueItems");
  if (unique && expectBoolean(unique)) constraints.push({ type: "uniqueItems", kinds: ARRAY, pointer: unique.pointer });
  const required = read("required");
  if (required) constraints.push(...readRequired(required));
  return statements;
}

export function readRequired(keyword: Keyword): RequiredConstraint[] {
  // A boolean `required` comes from draft-03. No draft from draft-04 on gives it a meaning, so it is refused.
  return expectStrings(keyword).map((name) => ({ type: "required", kinds: OBJECT, pointer: keyword.pointer, name }));
}

function readType(keyword: Keyword, nullable: Keyword | undefined): number {
  const names = typeof keyword.value === "string" ? [keyword.value] : expectStrings(keyword);
  const kinds = names.reduce((mask, name) => {
    const kind = maskOfType(name);
    if (kind === undefined) throw invalid(keyword, "a type name, or a list of them");
    return mask | kind;
  }, 0);
  return nullable && expectBoolean(nullable) ? kinds | NULL : kinds;
}

/** Returns the statement that the value is one of the given values. */
export function readValues({ pointer }: Keyword, values: readonly JsonValue[], budget: StepBudget): Statement {
  const byKind = new Map<number, Map<string, JsonValue>>();
  for (const value of values) {
    const kind = kindOf(value);
    const group = byKind.get(kind) ?? new Map<string, JsonValue>();
    const text = canonicalize(value);
    budget.spend(1 + text.length / UNITS_A_STEP);
    byKind.set(kind, group.set(text, value));
  }
  const kinds = [...byKind.keys()].reduce((mask, kind) => mask | kind, 0);
  return {
    kinds,
    constraints: [...byKind].map(
      ([kind, group]): EnumConstraint => ({ type: "enum", kinds: kind, pointer, values: group }),
    ),
  };
}

function readBounds(
  type: BoundConstraint["type"],
  bound: Keyword | undefined,
  exclusive: Keyword | undefined,
): BoundConstraint[] {
  const constraints: BoundConstraint[] = [];
  const isFlag = typeof exclusive?.value === "boolean"; // draft-04: a flag that changes the meaning of the bound
  const read = ({ pointer, ...keyword }: Keyword, isExclusive: boolean): BoundConstraint => {
    return { type, kinds: NUMBER, pointer, value: expectNumber({ pointer, ...keyword }), exclusive: isExclusive };
  };
  if (bound) constraints.push(read(bound, isFlag && exclusive.value === true));
  if (exclusive && !isFlag) constraints.push(read(exclusive, true));
  return constraints;
}

function readText(pattern: Keyword | undefined, budget: StepBudget): Constraint[] {
  if (!pattern) return [];
  const source = expectString(pattern);
  const { pointer } = pattern;
  return [{ type: "pattern", kinds: STRING, pointer, source, automaton: compilePattern(source, budget) }];
}

function readFormat(format: Keyword | undefined): Constraint[] {
  const samples = format && samplesOf(expectString(format));
  return samples ? [doubtful("format", format, { kinds: STRING, samples })] : [];
}

/** Reads the draft-07 keywords about encoded content; validators may assert them (Validation, section 8). */
export function readContent(read: (keyword: string) => Keyword | undefined): Statement {
  const [encoding, mediaType] = [read("contentEncoding"), read("contentMediaType")];
  const isJson = !mediaType || mediaType.value === "application/json";
  const samples = isJson && !encoding ? ["0"] : isJson && encoding?.value === "base64" ? ["MA=="] : [];
  const constraints = [
    ...(encoding ? [doubtful("contentEncoding", encoding, { kinds: STRING, samples })] : []),
    ...(mediaType ? [doubtful("contentMediaType", mediaType, { kinds: STRING, samples })] : []),
  ];
  return { kinds: ALL, constraints };
}

function doubtful(
  keyword: keyof typeof DOUBTFUL,
  { pointer, ...read }: Keyword,
  described: Pick<OpaqueConstraint, "kinds" | "samples">,
): OpaqueConstraint {
  const value = expectString({ pointer, ...read });
  return { type: "opaque", pointer, keyword, key: `${keyword}:${value}`, value, ...described };
}

function invalid(keyword: Keyword, expected: string): InvalidKeyword {
  const text = canonicalize(keyword.value);
  return new InvalidKeyword(
    keyword.pointer,
    `expected ${expected}, received ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`,
  );
}

function expectNumber(keyword: Keyword): number {
  if (typeof keyword.value !== "number") throw invalid(keyword, "a number");
  return keyword.value;
}

export function expectSize(keyword: Keyword): number {
  const { value } = keyword;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw invalid(keyword, "a whole number from 0");
  return value;
}

export function expectString(keyword: Keyword): string {
  if (typeof keyword.value !== "string") throw invalid(keyword, "a string");
  return keyword.value;
}

function expectBoolean(keyword: Keyword): boolean {
  if (typeof keyword.value !== "boolean") throw invalid(keyword, "true or false");
  return keyword.value;
}

export function expectArray(keyword: Keyword): readonly JsonValue[] {
  if (!Array.isArray(keyword.value)) throw invalid(keyword, "an array");
  return keyword.value;
}

function expectStrings(keyword: Keyword): readonly string[] {
  const items = expectArray(keyword);
  if (!items.every((item) => typeof item === "string")) throw invalid(keyword, "an array of strings");
  return items;
}

/** Returns the names in a keyword whose value is an object, in their order, each with its pointer. */
export function expectEntries(keyword: Keyword): { name: string; value: JsonValue; pointer: string }[] {
  if (!isJsonObject(keyword.value)) throw invalid(keyword, "an object");
  return Object.entries(keyword.value).map(([name, value]) => ({
    name,
    value,
    pointer: keyword.pointer + toPointer([name]),
  }));
}
