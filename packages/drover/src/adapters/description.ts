import { type PathSegment, toPointer } from "@agentprint/canonical-json";
import { messageOf } from "../errors.ts";
import type { UnseenPart } from "../spec.ts";
import { isStandardSchema, opaqueSchema, type StandardSchema, showSchema } from "../standard-schema.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";

type Path = readonly PathSegment[];

const SCHEMA = "a schema is hashed by its JSON Schema, which has no refinements or transformations";

/**
 * Describes what an agent holds as JSON, and remembers where that shows less than there is: functions and instances of
 * classes are named, schemas are shown as JSON Schema.
 */
export class Description {
  /** The parts that are not shown whole, in the order in which they were found. */
  readonly unseen: UnseenPart[] = [];
  /** Where each object was described that is described once. */
  readonly #places = new Map<object, string>();
  /** The arrays and objects that are being described. */
  readonly #open = new Set<object>();

  /** Notes a part of the agent that its description shows by name only, or not at all. */
  note(path: Path, message: string): void {
    this.unseen.push({ path: toPointer(path), message });
  }

  /** Describes any value. */
  value(value: unknown, path: Path): unknown {
    if (isStandardSchema(value)) return this.#standardSchema(value, path);
    if (typeof value === "function" || typeof value === "symbol") return this.#named(value, path);
    if (typeof value === "bigint") return { bigint: String(value) };
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date || value instanceof RegExp || value instanceof URL) return String(value);
    if (!Array.isArray(value) && !isPlain(value)) return this.#instance(value, path);
    if (this.#open.has(value)) return { cycle: true };
    this.#open.add(value);
    const described = Array.isArray(value)
      ? value.map((element, index) => this.value(element, [...path, index]))
      : this.members(value, path);
    this.#open.delete(value);
    return described;
  }

  /**
   * Describes the own members of an object, those that are symbols or hidden too, and names its functions under
   * `functions`.
   */
  members(source: object, path: Path, except: readonly string[] = []): Record<string, unknown> {
    const functions: string[] = [];
    const members = Reflect.ownKeys(source).flatMap((key): [string, unknown][] => {
      const name = String(key);
      const value = (source as Record<PropertyKey, unknown>)[key];
      if (value === undefined || except.includes(name)) return [];
      if (typeof value !== "function" || isStandardSchema(value)) return [[name, this.value(value, [...path, name])]];
      functions.push(name);
      return [];
    });
    if (functions.length === 0) return Object.fromEntries(members);
    functions.sort();
    this.note(path, `what its functions do is not hashed: ${functions.join(", ")}`);
    return { ...Object.fromEntries(members), functions };
  }

  /** The JSON Schema of what a framework takes for a schema. */
  async schema(schema: unknown, path: Path): Promise<unknown> {
    const shown = await jsonSchemaOf(schema, toPointer(path));
    if (shown !== schema) this.note(path, SCHEMA);
    return shown;
  }

  /** Describes an object the first time; from then on only the place is given where it was described. */
  once(object: object, path: Path, describe: () => Promise<unknown>): unknown {
    const place = this.#places.get(object);
    if (place !== undefined) return { sameAs: place };
    this.#places.set(object, toPointer(path));
    return describe();
  }

  #standardSchema(schema: StandardSchema, path: Path): unknown {
    this.note(path, SCHEMA);
    try {
      return showSchema(schema).input;
    } catch (cause) {
      throw opaqueSchema(toPointer(path), messageOf(cause), cause);
    }
  }

  #named(value: { readonly name: string } | symbol, path: Path): object {
    this.note(path, `a ${typeof value} is hashed by its name`);
    return typeof value === "symbol" ? { symbol: String(value) } : { function: value.name };
  }

  #instance(value: object, path: Path): object {
    const name = classOf(value);
    this.note(path, `an instance of ${name} is hashed by the name of its class, and of a model`);
    return { class: name, ...modelNames(value) };
  }
}

/** The name of the class of an object of which no more is shown. */
export function classOf(object: object): string {
  return String(object.constructor?.name ?? "an object without a class");
}

/** Members by which model objects of frameworks say which model they are; others may be secrets. */
const MODEL_NAMES = ["provider", "modelId", "model", "modelName", "_model"];

/** Which model a model object is; not its settings, middleware, base URL or code. */
export function modelNames(model: object): Record<string, unknown> {
  const names = MODEL_NAMES.map((name) => [name, (model as { readonly [name: string]: unknown })[name]] as const);
  return Object.fromEntries(names.filter(([, value]) => typeof value === "string"));
}

/** Describes one value after the other: what comes first is noted first. */
export async function inOrder<From, To>(
  values: readonly From[],
  describe: (value: From, index: number) => Promise<To>,
): Promise<To[]> {
  const described: To[] = [];
  for (const [index, value] of values.entries()) described.push(await describe(value, index));
  return described;
}

function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
