import { isJsonObject, type JsonValue, type PathSegment } from "@agentprint/canonical-json";
import { type KeywordContent, keywordsOf } from "@agentprint/json-schema";
import type { RawIssue } from "../issue.ts";
import { show } from "../json.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Reports the problems of a value at the checker's current place. */
type Rule = (value: JsonValue, checker: Checker) => void;

/** The state of a check: the current place in the schema and the issues found so far. */
class Checker {
  readonly issues: RawIssue[] = [];
  readonly #path: PathSegment[];
  readonly #maxIssues: number;

  constructor(path: readonly PathSegment[], maxIssues: number) {
    this.#path = [...path];
    this.#maxIssues = maxIssues;
  }

  /** Applies a rule to the value under a key of the current value. */
  below(key: PathSegment, value: JsonValue, rule: Rule): void {
    if (this.issues.length >= this.#maxIssues) return;
    this.#path.push(key);
    rule(value, this);
    this.#path.pop();
  }

  report(expected: string, value: JsonValue): void {
    const message = `JSON Schema Draft 2020-12 expects ${expected}, received ${show(value)}`;
    this.issues.push({ code: "INPUT_SCHEMA_INVALID", path: [...this.#path], message });
  }

  reportDialect(dialect: string): void {
    const message = `Expected "${DIALECT}" or no $schema, received ${show(dialect)}`;
    this.issues.push({ code: "INPUT_SCHEMA_WRONG_DIALECT", path: [...this.#path], message });
  }
}

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
const isString = (value: JsonValue): boolean => typeof value === "string";
const isType = (value: JsonValue): boolean => TYPES.includes(value as string);
const isCount = (value: JsonValue): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;

const string = scalar("a string", isString);
const boolean = scalar("true or false", (value) => typeof value === "boolean");
const number = scalar("a number", (value) => typeof value === "number");
const positive = scalar("a number above zero", (value) => typeof value === "number" && value > 0);
const count = scalar("a whole number of at least zero", isCount);
const array = scalar("an array", Array.isArray);
const type = scalar(`one of ${TYPES.join(", ")}`, isType);
const anchor = text("a letter or underscore before letters, digits, '-', '.' and '_'", /^[A-Za-z_][-A-Za-z0-9._]*$/);
const identifier = text("a URI reference without a fragment", /^[^#]*#?$/);

function scalar(expected: string, isValid: (value: JsonValue) => boolean): Rule {
  return (value, checker) => {
    if (!isValid(value)) checker.report(expected, value);
  };
}

function text(expected: string, form: RegExp): Rule {
  return scalar(expected, (value) => typeof value === "string" && form.test(value));
}

const strings: Rule = (value, checker) => {
  if (!Array.isArray(value)) return checker.report("an array of strings", value);
  for (let index = 0; index < value.length; index++) checker.below(index, value[index] as JsonValue, string);
  const texts = value.filter(isString);
  if (new Set(texts).size < texts.length) checker.report("each string once", value);
};

const types: Rule = (value, checker) => {
  if (!Array.isArray(value)) return type(value, checker);
  // JSON Schema has seven types. A list that is longer is one issue, and its items are not checked one by one.
  if (value.length <= TYPES.length) {
    for (let index = 0; index < value.length; index++) checker.below(index, value[index] as JsonValue, type);
  }
  const isValid = value.length > 0 && value.every(isType) && new Set(value).size === value.length;
  if (!isValid) checker.report("at least one type, each once", value);
};

const dialect: Rule = (value, checker) => {
  if (typeof value !== "string") string(value, checker);
  else if (value !== DIALECT && value !== `${DIALECT}#`) checker.reportDialect(value);
};

const schema: Rule = (value, checker) => {
  if (typeof value === "boolean") return;
  if (!isJsonObject(value)) return checker.report("a schema, which is an object or a boolean", value);
  for (const keyword in value) {
    const rule = RULES.get(keyword);
    if (rule !== undefined) checker.below(keyword, value[keyword] as JsonValue, rule);
  }
};

const schemas: Rule = (value, checker) => {
  if (!Array.isArray(value) || value.length === 0) return checker.report("an array of at least one schema", value);
  for (let index = 0; index < value.length; index++) checker.below(index, value[index] as JsonValue, schema);
};

const schemaOrStrings: Rule = (value, checker) => {
  if (!Array.isArray(value)) return schema(value, checker);
  strings(value, checker);
  if (!value.every(isString)) checker.report("a schema or an array of strings", value);
};

function byName(rule: Rule): Rule {
  return (value, checker) => {
    if (!isJsonObject(value)) return checker.report("an object", value);
    for (const name in value) checker.below(name, value[name] as JsonValue, rule);
  };
}

/** The rule for a keyword whose value contains schemas; `dependencies` has its own rule below. */
const SUBSCHEMAS: Readonly<Partial<Record<KeywordContent, Rule>>> = {
  schema,
  list: schemas,
  "by-name": byName(schema),
};

/**
 * The rule for each keyword of the Draft 2020-12 meta-schema and its vocabularies. Any other keyword may have any
 * value.
 */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ...keywordsOf(2020).flatMap(({ name, content }): [string, Rule][] => {
    const rule = content && SUBSCHEMAS[content];
    return rule ? [[name, rule]] : [];
  }),
  ...all(anchor, "$anchor $dynamicAnchor $recursiveAnchor"),
  ...all(array, "enum examples"),
  ...all(boolean, "deprecated readOnly uniqueItems writeOnly"),
  ...all(count, "maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties"),
  ...all(identifier, "$id"),
  ...all(number, "exclusiveMaximum exclusiveMinimum maximum minimum"),
  ...all(positive, "multipleOf"),
  ...all(dialect, "$schema"),
  ...all(string, "$comment $dynamicRef $recursiveRef $ref contentEncoding contentMediaType"),
  ...all(string, "description format pattern title"),
  ...all(strings, "required"),
  ...all(types, "type"),
  ...all(byName(boolean), "$vocabulary"),
  ...all(byName(schema), "definitions"),
  ...all(byName(schemaOrStrings), "dependencies"),
  ...all(byName(strings), "dependentRequired"),
]);

function all(rule: Rule, keywords: string): [string, Rule][] {
  return keywords.split(" ").map((keyword) => [keyword, rule]);
}

/**
 * Returns the places in a schema that violate the Draft 2020-12 meta-schema or name another dialect, in the order of
 * the text. Compiles no pattern and follows no reference. The function is recursive, so it accepts only values of
 * limited depth.
 *
 * @param path - the schema's place
 * @param maxIssues - the number of issues after which the check stops
 */
export function checkSchema(value: JsonValue, path: readonly PathSegment[], maxIssues: number): RawIssue[] {
  const checker = new Checker(path, maxIssues);
  schema(value, checker);
  return checker.issues;
}
