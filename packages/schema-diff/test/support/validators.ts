import { Validator } from "@cfworker/json-schema";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Schema } from "./schemas.ts";

const DRAFTS = ["2020-12", "2019-09"] as const;

/**
 * Returns whether a schema belongs to an older draft: without `$schema`, a list of `items` indicates a draft before
 * 2020-12.
 */
export function judgesAsOlderDraft(schema: Schema): boolean {
  return typeof schema === "object" && !("$schema" in schema) && /"items":\[/.test(JSON.stringify(schema));
}

function dialectOf(schema: Schema): string {
  if (judgesAsOlderDraft(schema)) return "draft-07";
  return typeof schema === "object" ? String(schema["$schema"] ?? "2020-12") : "2020-12";
}

/**
 * Returns ajv's validator with its own regular expressions and settings, which shares only the schema with the package.
 */
export function validatorOf(schema: Schema, formats = false): ValidateFunction {
  const dialect = dialectOf(schema);
  const Class = /2020-12/.test(dialect) ? Ajv2020 : /2019-09/.test(dialect) ? Ajv2019 : Ajv;
  const options = { ownProperties: true, strict: false, validateFormats: formats, logger: false } as const;
  return new Class({ ...options, validateSchema: false }).compile(schema);
}

/** A case in which a validator is known to deviate from the standard. */
interface Limit {
  readonly judge: string;
  readonly reason: string;
  readonly concerns: (schema: string, value: string) => boolean;
}

/** The known limits, each of which was checked against the standard. */
const LIMITS: readonly Limit[] = [
  {
    judge: "ajv",
    reason: "a member `__proto__` is a member as any other (RFC 8259 §4); ajv leaves it out, or reads the prototype",
    concerns: (schema) => schema.includes('"__proto__"'),
  },
  {
    judge: "ajv",
    reason:
      "an array without elements has none that `contains` finds (2020-12 Core §10.3.1.3); ajv accepts it next to `prefixItems`, unless it looks for all errors",
    concerns: (schema, value) =>
      schema.includes('"contains"') && schema.includes('"prefixItems"') && value.includes("[]"),
  },
];

type Judges = readonly (readonly [name: string, judge: (value: unknown) => boolean | undefined])[];

const known = new WeakMap<object, Judges>();

/** Returns the validators for a schema by name; each is created only once. */
function judgesOf(schema: Schema): Judges {
  const made = typeof schema === "object" ? known.get(schema) : undefined;
  if (made) return made;
  const makes = { ajv: () => validatorOf(schema), "@cfworker/json-schema": () => interpreterOf(schema) };
  const judges = Object.entries(makes).map(([name, make]) => [name, tolerant(make)] as const);
  if (typeof schema === "object") known.set(schema, judges);
  return judges;
}

/** Returns the verdict of each validator that does not fail on the schema or on the value. */
function verdictsOn(schema: Schema, value: unknown): ReadonlyMap<string, boolean> {
  const said = judgesOf(schema).map(([name, judge]) => [name, judge(value)] as const);
  return new Map(said.filter((each): each is [string, boolean] => each[1] !== undefined));
}

/**
 * Returns whether any validator has a verdict: all of them fail on a schema that applies itself to the same value
 * endlessly.
 */
export function isJudged(schema: Schema, value: unknown): boolean {
  return verdictsOn(schema, value).size > 0;
}

/**
 * Returns the validators that contradict a verdict on a value, except for their known limits; `nobody` if none agrees.
 *
 * @param further Other validators' verdicts.
 */
export function disputesOf(
  schema: Schema,
  value: unknown,
  expected: boolean,
  further: Iterable<readonly [string, boolean]> = [],
): string[] {
  const said = new Map([...verdictsOn(schema, value), ...further]);
  const texts = [JSON.stringify(schema), JSON.stringify(value)] as const;
  const opposed = [...said].filter(([name, verdict]) => {
    const isKnown = LIMITS.some(({ judge, concerns }) => judge === name && concerns(...texts));
    return verdict !== expected && !isKnown;
  });
  const supported = [...said.values()].includes(expected);
  return [...opposed.map(([name]) => name), ...(supported ? [] : ["nobody"])];
}

/**
 * Returns a judge that gives the verdict on which ajv and an interpreting validator agree; `undefined` if they
 * disagree.
 */
export function judgeOf(schema: Schema): (value: unknown) => boolean | undefined {
  const judges = judgesOf(schema);
  return (value) => {
    const [first, second] = judges.map(([, judge]) => judge(value));
    return first === second ? first : undefined;
  };
}

/** Removes formats from the schema, because the validator has no option to treat them as annotations. */
function interpreterOf(schema: Schema): (value: unknown) => boolean {
  const text = JSON.stringify(schema, (key, member: unknown) => (key === "format" ? undefined : member));
  const copy = JSON.parse(text) as Schema;
  const validator = new Validator(copy, DRAFTS.find((draft) => dialectOf(schema).includes(draft)) ?? "7");
  return (value) => validator.validate(value).valid;
}

/** Turns errors into `undefined`: both validators fail on a few schemas and values, but on different ones. */
function tolerant(make: () => (value: unknown) => boolean): (value: unknown) => boolean | undefined {
  const attempt = <T>(job: () => T): T | undefined => {
    try {
      return job();
    } catch {
      return undefined;
    }
  };
  const validate = attempt(make);
  return (value) => validate && attempt(() => validate(value));
}
