import { isJsonObject, type JsonObject, toPointer } from "../../../../packages/canonical-json/src/index.ts";
import type { Draft } from "./edit.ts";

/** A parameter of a tool: its path in the tool, and its schema. */
export interface Parameter {
  readonly path: readonly string[];
  readonly name: string;
  readonly schema: JsonObject;
}

/** Returns a tool's parameters, including those inside parameters that are objects or lists of objects. */
export function parametersOf(tool: JsonObject, at: readonly string[] = ["inputSchema"]): Parameter[] {
  const schema = valueAt(tool, at);
  if (!isJsonObject(schema)) return [];
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => {
      const path = [...at, "properties", name];
      return isJsonObject(inner) ? [{ path, name, schema: inner }, ...parametersOf(tool, path)] : [];
    }),
    ...("items" in schema ? parametersOf(tool, [...at, "items"]) : []),
  ];
}

/** Returns the value at a path, or `undefined` if the path leads to no value. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);
}

/** Returns the object at a path, which it creates if there is none; reads only own members. */
export function objectAt(draft: Draft, path: readonly string[]): Draft {
  let at = draft;
  for (const name of path) {
    if (!Object.hasOwn(at, name) || !isJsonObject(at[name])) at[name] = {};
    at = at[name] as Draft;
  }
  return at;
}

/** Sets a member of the object at a path; returns the member's pointer. */
export function setAt(draft: Draft, path: readonly string[], name: string, value: Draft[string]): string {
  objectAt(draft, path)[name] = value;
  return toPointer([...path, name]);
}

/** Removes a member of the object at a path; returns the member's pointer. */
export function removeAt(draft: Draft, path: readonly string[], name: string): string {
  delete objectAt(draft, path)[name];
  return toPointer([...path, name]);
}
