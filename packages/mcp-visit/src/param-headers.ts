import type { JsonValue } from "@agentprint/canonical-json";
import type { JsonObject } from "@agentprint/mcp-lock";
import { encodeHeaderValue } from "./http/header-value.ts";
import { isObject } from "./json-object.ts";

const KEYWORD = "x-mcp-header";
/** `1*tchar` of RFC 9110, section 5.1. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVE = new Set(["string", "integer", "boolean"]);

/** A parameter of a tool that is repeated as a header. */
export interface ParamHeader {
  /** The part of the header's name behind `Mcp-Param-`. */
  readonly name: string;
  /** The names of the properties that lead to the parameter. */
  readonly path: readonly string[];
}

/** Which parameters a tool repeats as headers, or why a client over HTTP has to drop the tool. */
export type ParamHeaders = { readonly headers: readonly ParamHeader[] } | { readonly invalid: string };

/**
 * Reads the `x-mcp-header` annotations of a tool's `inputSchema` (MCP 2026-07-28, "Custom Headers from Tool Parameters").
 *
 * @example
 * ```ts
 * import { readParamHeaders } from "@agentprint/mcp-visit";
 *
 * const inputSchema = { properties: { region: { type: "string", "x-mcp-header": "Region" } } };
 * readParamHeaders({ name: "query", inputSchema }); // { headers: [{ name: "Region", path: ["region"] }] }
 * ```
 */
export function readParamHeaders(tool: JsonObject): ParamHeaders {
  const headers: ParamHeader[] = [];
  const seen = new Set<string>();
  const pending: { value: JsonValue | undefined; path: readonly string[] | undefined; named: boolean }[] = [
    { value: tool["inputSchema"], path: [], named: false },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path, named } = next;
    if (Array.isArray(value)) for (const item of value) pending.push({ value: item, path: undefined, named: false });
    if (!isObject(value)) continue;
    const name = named ? undefined : value[KEYWORD];
    if (name !== undefined) {
      const problem = problemOf(name, value, path, seen);
      if (problem !== undefined) return { invalid: problem };
      headers.push({ name: String(name), path: path ?? [] });
      seen.add(String(name).toLowerCase());
    }
    for (const [key, member] of Object.entries(value)) {
      if (!named && (key === KEYWORD || DATA.has(key))) continue;
      const below = named && path !== undefined ? [...path, key] : !named && key === "properties" ? path : undefined;
      pending.push({ value: member, path: below, named: !named && NAMES.has(key) });
    }
  }
  return { headers: headers.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Keywords whose value is data, not schemas. */
const DATA = new Set(["const", "default", "enum", "examples"]);
/** Keywords whose value has names of its own as keys. */
const NAMES = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

function problemOf(
  name: JsonValue,
  schema: JsonObject,
  path: readonly string[] | undefined,
  seen: ReadonlySet<string>,
): string | undefined {
  if (typeof name !== "string" || !TOKEN.test(name)) return `${KEYWORD} is not the name of a header`;
  if (seen.has(name.toLowerCase())) return `${KEYWORD} ${name} is there twice`;
  if (path === undefined || path.length === 0)
    return `${KEYWORD} ${name} is not at a property that every call can have`;
  if (typeof schema["type"] !== "string" || !PRIMITIVE.has(schema["type"])) {
    return `${KEYWORD} ${name} is at a parameter that is no string, integer or boolean`;
  }
  return undefined;
}

/** The headers of a call, for the parameters that it gives. */
export function paramHeaders(headers: readonly ParamHeader[], args: JsonValue | undefined): Record<string, string> {
  const values = headers.map(({ name, path }) => [name, valueAt(args, path)] as const);
  return Object.fromEntries(
    values.flatMap(([name, value]) => {
      if (typeof value !== "string" && typeof value !== "boolean" && !Number.isSafeInteger(value)) return [];
      return [[`mcp-param-${name.toLowerCase()}`, encodeHeaderValue(String(value))]];
    }),
  );
}

function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (place, key) => (isObject(place) && Object.hasOwn(place, key) ? place[key] : undefined),
    value,
  );
}
