import {
  isJsonObject,
  isSha256Hex,
  type JsonObject,
  type JsonValue,
  type PathSegment,
  sliceWithoutSplittingSurrogates,
} from "@agentprint/canonical-json";
import { ownMember, typeName } from "@agentprint/canonical-json/json-value";

/** The place at which a value does not have a shape, and the reason. */
interface ShapeIssue {
  /** From the value to the part of it that is wrong. */
  readonly path: readonly PathSegment[];
  readonly message: string;
}

/** The first issue of a JSON value that does not have this shape. */
export type Shape = (value: JsonValue) => ShapeIssue | undefined;

/** A member that may be absent. */
interface OptionalMember {
  readonly optional: Shape;
}

/** Any JSON value. */
export const json: Shape = () => undefined;

/** Any JSON object. */
export const object: Shape = (value) => (isJsonObject(value) ? undefined : expected("an object", value));

/** Any string. */
export const text: Shape = (value) => (typeof value === "string" ? undefined : expected("a string", value));

/** The 64 hex digits of a digest. */
export const digest: Shape = (value) =>
  isSha256Hex(value) ? undefined : expected("64 lowercase hexadecimal digits", value);

/** One of these values. */
export function oneOf(values: readonly (string | number)[]): Shape {
  return (value) => {
    if ((values as readonly JsonValue[]).includes(value)) return undefined;
    return expected(`one of ${values.map((known) => JSON.stringify(known)).join(", ")}`, value);
  };
}

/** An array of elements of one shape. */
export function list(element: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return expected("an array", value);
    for (const [index, item] of value.entries()) {
      const issue = element(item);
      if (issue) return below(index, issue);
    }
    return undefined;
  };
}

/** An array of at least one element. */
export function nonEmptyList(element: Shape): Shape {
  const shape = list(element);
  return (value) => {
    const isEmpty = Array.isArray(value) && value.length === 0;
    return isEmpty ? { path: [], message: "Expected at least one element" } : shape(value);
  };
}

/** An object whose members all have one shape. */
function each(member: Shape): Shape {
  return (value) => {
    if (!isJsonObject(value)) return expected("an object", value);
    for (const [name, one] of Object.entries(value)) {
      const issue = member(one);
      if (issue) return below(name, issue);
    }
    return undefined;
  };
}

/** An object whose members are strings. */
export const texts: Shape = each(text);

/** An object whose members are digests. */
export const digestsByName: Shape = each(digest);

/** A member that may be absent, for {@link members}. */
export function optional(shape: Shape): OptionalMember {
  return { optional: shape };
}

/** An object with the members of `T` and no others: each must be there unless it is {@link optional}. */
export function members<T>(table: Readonly<Record<keyof T, Shape | OptionalMember>>): Shape {
  const shapes = Object.entries<Shape | OptionalMember>(table);
  return (value) => {
    if (!isJsonObject(value)) return expected("an object", value);
    for (const [name, shape] of shapes) {
      const issue = memberIssue(value, name, shape);
      if (issue) return below(name, issue);
    }
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(table, name));
    return unknown === undefined ? undefined : { path: [], message: `Unknown member ${show(unknown)}` };
  };
}

/** An object whose member `type` says which of these shapes it has. */
export function byType(shapes: Readonly<Record<string, Shape>>): Shape {
  const type = oneOf(Object.keys(shapes));
  return (value) => {
    if (!isJsonObject(value)) return expected("an object", value);
    const issue = memberIssue(value, "type", type);
    const { type: name } = value;
    return issue || typeof name !== "string"
      ? below("type", issue ?? expected("a text", name ?? null))
      : shapes[name]?.(value);
  };
}

function memberIssue(value: JsonObject, name: string, shape: Shape | OptionalMember): ShapeIssue | undefined {
  const [check, isOptional] = typeof shape === "function" ? [shape, false] : [shape.optional, true];
  const member = ownMember(value, name);
  if (member !== undefined) return check(member);
  return isOptional ? undefined : { path: [], message: "This member is missing" };
}

function below(segment: PathSegment, { path, message }: ShapeIssue): ShapeIssue {
  return { path: [segment, ...path], message };
}

function expected(what: string, value: JsonValue): ShapeIssue {
  const found = typeof value === "string" ? show(value) : typeName(value);
  return { path: [], message: `Expected ${what}, found ${found}` };
}

/** The beginning of a text of the file, as JSON. */
function show(written: string): string {
  return JSON.stringify(sliceWithoutSplittingSurrogates(written, 0, 40));
}
