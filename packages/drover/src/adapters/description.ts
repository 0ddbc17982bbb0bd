import { isPlainObject, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { SpecError } from "../errors.ts";
import type { UnseenPart } from "../spec.ts";
import { isStandardSchema, toJsonSchema } from "../standard-schema.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";

type Path = readonly PathSegment[];

const SCHEMA = "a schema is hashed by its JSON Schema, which has no refinements or transformations";

/** The described members of an object. */
export interface Members {
  readonly members: Record<string, unknown>;
  readonly functions: readonly string[];
}

/**
 * Describes an agent's values as JSON: functions and class instances by name, schemas by their JSON Schema. Notes each
 * part that the description does not show completely.
 */
export class Description {
  /** The parts that are not shown completely, in the order in which they were found. */
  readonly unseen: UnseenPart[] = [];
  /** The pointer to the description of each object, so that an object is described only once. */
  readonly #places = new Map<object, string>();
  /** The arrays and objects that are being described. */
  readonly #open = new Set<object>();
  readonly #knownClasses: readonly string[];

  /**
   * @param knownClasses - The names of the framework's classes. Their methods are not part of an agent, so they are not
   * noted.
   */
  constructor(knownClasses: readonly string[] = []) {
    this.#knownClasses = knownClasses;
  }

  /** Notes a part of the agent that the description shows only by name or not at all. */
  note(path: Path, message: string): void {
    this.unseen.push({ path: toPointer(path), message });
  }

  /**
   * Describes any value. A value that JSON cannot represent becomes an object with one member whose name begins with
   * `~`.
   */
  value(value: unknown, path: Path): unknown {
    if (isStandardSchema(value)) {
      this.note(path, SCHEMA);
      return toJsonSchema(value, toPointer(path));
    }
    if (typeof value === "function" || typeof value === "symbol") return this.#named(value, path);
    if (typeof value === "bigint") return { "~bigint": String(value) };
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date) return { "~date": value.getTime() };
    if (value instanceof RegExp || value instanceof URL) return { [`~${classOf(value)}`]: String(value) };
    if (!Array.isArray(value) && !isPlainObject(value)) return this.#instance(value, path);
    if (this.#open.has(value)) return { "~cycle": true };
    this.#open.add(value);
    const described = Array.isArray(value)
      ? value.map((element, index) => this.value(element, [...path, index]))
      : this.object(value, path);
    this.#open.delete(value);
    return described;
  }

  /** Describes an object's own members, including symbols and non-enumerable members, and its functions by name. */
  object(source: object, path: Path, except: readonly string[] = []): Record<string, unknown> {
    const { members, functions } = this.members(source, path, except);
    if (functions.length === 0) return members;
    return Object.hasOwn(members, "functions") ? { "~members": members, functions } : { ...members, functions };
  }

  /**
   * Returns descriptions of an object's own members; members that are functions are described only by their sorted
   * names.
   *
   * @throws {@link SpecError} `invalid-spec` when `source` is not an object
   */
  members(source: object, path: Path, except: readonly string[] = []): Members {
    if ((typeof source !== "object" && typeof source !== "function") || source === null) {
      const place = toPointer(path);
      throw new SpecError("invalid-spec", place, `expected an object at ${place}; received ${kindOf(source)}`);
    }
    const className = classOf(source);
    if (!isPlainObject(source) && (!this.#knownClasses.includes(className) || extendsNamesake(source))) {
      this.note(path, `the behaviour of the class of an instance of ${className} is not hashed`);
    }
    const read = Reflect.ownKeys(source)
      .map((key) => [String(key), (source as Record<PropertyKey, unknown>)[key]] as const)
      .filter(([name, value]) => value !== undefined && !except.includes(name));
    const isFunction = (value: unknown): boolean => typeof value === "function" && !isStandardSchema(value);
    const functions = read.flatMap(([name, value]) => (isFunction(value) ? [name] : [])).sort();
    if (functions.length > 0) this.note(path, `the code of its functions is not hashed: ${functions.join(", ")}`);
    const data = read.filter(([, value]) => !isFunction(value));
    return {
      members: Object.fromEntries(data.map(([name, value]) => [name, this.value(value, [...path, name])])),
      functions,
    };
  }

  /** Returns the JSON Schema of a schema in any form that a framework accepts. */
  async schema(schema: unknown, path: Path): Promise<unknown> {
    const shown = await jsonSchemaOf(schema, toPointer(path));
    if (shown !== schema) this.note(path, SCHEMA);
    return shown;
  }

  /** Describes a tool, some of whose members are schemas and some of which do not define it. */
  async tool(
    tool: object,
    path: Path,
    { schemas, except = [] }: { readonly schemas: readonly string[]; readonly except?: readonly string[] },
  ): Promise<object> {
    const shown = await inOrder(schemas, async (key) => {
      const schema = (tool as { readonly [key: string]: unknown })[key];
      return [key, await this.schema(schema, [...path, key])] as const;
    });
    const members = this.object(tool, path, [...schemas, ...except]);
    return { functions: [], ...members, ...Object.fromEntries(shown) };
  }

  /** Describes an object on first use. Later descriptions of the object are a pointer to the first one. */
  once(object: object, path: Path, describe: () => Promise<unknown>): unknown {
    const place = this.#places.get(object);
    if (place !== undefined) return { "~same": place };
    this.#places.set(object, toPointer(path));
    return describe();
  }

  #named(value: { readonly name: string } | symbol, path: Path): object {
    this.note(path, `a ${typeof value} is hashed by its name`);
    return typeof value === "symbol" ? { "~symbol": String(value) } : { "~function": value.name };
  }

  #instance(value: object, path: Path): object {
    const name = classOf(value);
    this.note(path, `an instance of ${name} is hashed by the name of its class and by the names that identify a model`);
    return { "~class": name, ...modelNames(value) };
  }
}

/**
 * Returns whether an object's class extends a class of the same name, like a subclass that hides behind the name of a
 * framework class.
 */
function extendsNamesake(object: object): boolean {
  const base: unknown = Object.getPrototypeOf(Object.getPrototypeOf(object));
  return typeof base === "object" && base !== null && classOf(base) === classOf(object);
}

/** Returns the kind of a received value, for a message. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return typeof value;
  return isPlainObject(value) ? "another object" : `an instance of ${classOf(value)}`;
}

/** Returns the name of an object's class. */
export function classOf(object: object): string {
  return String(object.constructor?.name ?? "an object without a class");
}

/**
 * The members in which the frameworks' model objects name their model. Other members may be secrets and are not read.
 */
const MODEL_NAMES = ["provider", "modelId", "model", "modelName", "_model"];

/** Returns the names in a model object that identify its model, without its settings, middleware, base URL and code. */
export function modelNames(model: object): Record<string, unknown> {
  const names = MODEL_NAMES.map((name) => [name, (model as { readonly [name: string]: unknown })[name]] as const);
  return Object.fromEntries(names.filter(([, value]) => typeof value === "string"));
}

/** Describes values one after another, so that their notes are always in the same order. */
export async function inOrder<From, To>(
  values: readonly From[],
  describe: (value: From, index: number) => Promise<To>,
): Promise<To[]> {
  const described: To[] = [];
  for (const [index, value] of values.entries()) described.push(await describe(value, index));
  return described;
}
