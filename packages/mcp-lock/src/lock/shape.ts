import {
  isJsonObject,
  isSha256Hex,
  type JsonObject,
  type JsonValue,
  type PathSegment,
  sliceWithoutSplittingSurrogates,
} from "@agentprint/canonical-json";
import { ownMember, typeName } from "@agentprint/canonical-json/json-value";

/** The place where a value does not have the required shape, and the reason. */
interface ShapeIssue {
  /** The path from the value to its invalid part. */
  readonly path: readonly PathSegment[];
  readonly message: string;
}

/** A form of JSON values: a function that returns a value's first issue if the value does not have this form. */
export interface Shape {
  (value: JsonValue): ShapeIssue | undefined;
  /** The JSON Schema (draft-07) that accepts the same values. */
  readonly schema: JsonObject;
}

function shape(schema: JsonObject, issueOf: (value: JsonValue) => ShapeIssue | undefined): Shape {
  return Object.assign(issueOf, { schema });
}

/** A member that may be absent. */
interface OptionalMember {
  readonly optional: Shape;
}

/** Any JSON value. */
export const json: Shape = shape({}, () => undefined);

/** Any JSON object. */
export const object: Shape = shape({ type: "object" }, (value) =>
  isJsonObject(value) ? undefined : expected("an object", value),
);

/** Any string. */
export const text: Shape = shape({ type: "string" }, (value) =>
  typeof value === "string" ? undefined : expected("a string", value),
);

/** The 64 hex digits of a digest. */
export const digest: Shape = shape({ type: "string", pattern: "^[0-9a-f]{64}$" }, (value) =>
  isSha256Hex(value) ? undefined : expected("64 lowercase hexadecimal digits", value),
);

/** Returns the shape that only these values have. */
export function oneOf(values: readonly (string | number)[]): Shape {
  return shape({ enum: [...values] }, (value) => {
    if ((values as readonly JsonValue[]).includes(value)) return undefined;
    return expected(`one of ${values.map((known) => JSON.stringify(known)).join(", ")}`, value);
  });
}

/** Returns the shape of an array whose elements all have the same shape. */
export function list(element: Shape): Shape {
  return shape({ type: "array", items: element.schema }, (value) => {
    if (!Array.isArray(value)) return expected("an array", value);
    for (const [index, item] of value.entries()) {
      const issue = element(item);
      if (issue) return below(index, issue);
    }
    return undefined;
  });
}

/** Returns the shape of an array with at least one element. */
export function nonEmptyList(element: Shape): Shape {
  const elements = list(element);
  return shape({ ...elements.schema, minItems: 1 }, (value) => {
    const isEmpty = Array.isArray(value) && value.length === 0;
    return isEmpty ? { path: [], message: "Expected at least one element" } : elements(value);
  });
}

/** Returns the shape of an object whose members all have the same shape. */
function each(member: Shape): Shape {
  return shape({ type: "object", additionalProperties: member.schema }, (value) => {
    if (!isJsonObject(value)) return expected("an object", value);
    for (const [name, one] of Object.entries(value)) {
      const issue = member(one);
      if (issue) return below(name, issue);
    }
    return undefined;
  });
}

/** An object whose members are strings. */
export const texts: Shape = each(text);

/** An object whose members are digests. */
export const digestsByName: Shape = each(digest);

/** Returns a member that may be absent, for {@link members}. */
export function optional(member: Shape): OptionalMember {
  return { optional: member };
}

/**
 * Returns the shape of an object that has the members of `T` and no others; each one must be present unless it is
 * {@link optional}.
 */
export function members<T>(table: Readonly<Record<keyof T, Shape | OptionalMember>>): Shape {
  const rows = Object.entries<Shape | OptionalMember>(table);
  const schema = {
    type: "object",
    properties: Object.fromEntries(rows.map(([name, row]) => [name, shapeOf(row).schema])),
    required: rows.flatMap(([name, row]) => (isOptional(row) ? [] : [name])),
    additionalProperties: false,
  };
  return shape(schema, (value) => {
    if (!isJsonObject(value)) return expected("an object", value);
    for (const [name, row] of rows) {
      const issue = memberIssue(value, name, row);
      if (issue) return below(name, issue);
    }
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(table, name));
    return unknown === undefined ? undefined : { path: [], message: `Unknown member ${show(unknown)}` };
  });
}

/**
 * Returns the shape of an object whose member `type` selects one of these shapes; each shape requires its own name
 * there.
 */
export function byType(shapes: Readonly<Record<string, Shape>>): Shape {
  const type = oneOf(Object.keys(shapes));
  return shape({ anyOf: Object.values(shapes).map(({ schema }) => schema) }, (value) => {
    if (!isJsonObject(value)) return expected("an object", value);
    const issue = memberIssue(value, "type", type);
    const { type: name } = value;
    return issue || typeof name !== "string"
      ? below("type", issue ?? expected("a text", name ?? null))
      : shapes[name]?.(value);
  });
}

function isOptional(row: Shape | OptionalMember): row is OptionalMember {
  return typeof row !== "function";
}

function shapeOf(row: Shape | OptionalMember): Shape {
  return isOptional(row) ? row.optional : row;
}

function memberIssue(value: JsonObject, name: string, row: Shape | OptionalMember): ShapeIssue | undefined {
  const member = ownMember(value, name);
  if (member !== undefined) return shapeOf(row)(member);
  return isOptional(row) ? undefined : { path: [], message: "This member is missing" };
}

function below(segment: PathSegment, { path, message }: ShapeIssue): ShapeIssue {
  return { path: [segment, ...path], message };
}

function expected(what: string, value: JsonValue): ShapeIssue {
  const found = typeof value === "string" ? show(value) : typeName(value);
  return { path: [], message: `Expected ${what}, found ${found}` };
}

/** Returns the beginning of a text from the file, as JSON. */
function show(written: string): string {
  return JSON.stringify(sliceWithoutSplittingSurrogates(written, 0, 40));
}
