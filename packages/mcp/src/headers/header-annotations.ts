import { fromPointer, isJsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { keywordOf, someMember } from "@agentprint/json-schema";

/** A parameter of a tool that clients over HTTP also send as a header. */
export interface HeaderAnnotation {
  /** The part of the header's name after `Mcp-Param-`. */
  readonly name: string;
  /** The names of the properties that lead to the parameter. */
  readonly path: readonly string[];
}

/** The reason why clients over HTTP omit a tool with this `x-mcp-header`, and its place in the input schema. */
export interface InvalidHeader {
  /** RFC 6901 JSON Pointer from the input schema. */
  readonly pointer: string;
  readonly reason: string;
}

/** The `x-mcp-header` annotations in an input schema: those that clients follow, and those that break a rule. */
export interface HeaderAnnotations {
  readonly headers: readonly HeaderAnnotation[];
  readonly invalid: readonly InvalidHeader[];
}

const ANNOTATION = "x-mcp-header";
const PRIMITIVES = new Set<unknown>(["integer", "string", "boolean"]);
/** `1*tchar` of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A value reached while walking through a schema. */
interface Step {
  readonly value: JsonValue;
  readonly pointer: string;
  /** Whether the path to the value leads only through `properties`. */
  readonly isReachable: boolean;
  /** Whether the value's keys are names, not keywords. */
  readonly isByName: boolean;
}

/**
 * Reads the `x-mcp-header` annotations in a tool's `inputSchema` by the rules of MCP 2026-07-28, "Custom Headers from
 * Tool Parameters". Clients must not offer a tool with an invalid annotation over HTTP.
 *
 * @example
 * ```ts
 * import { readHeaderAnnotations } from "@agentprint/mcp/headers";
 *
 * readHeaderAnnotations({ properties: { region: { type: "string", "x-mcp-header": "Region" } } });
 * // { headers: [{ name: "Region", path: ["region"] }], invalid: [] }
 * ```
 */
export function readHeaderAnnotations(inputSchema: JsonValue | undefined): HeaderAnnotations {
  const headers: HeaderAnnotation[] = [];
  const invalid: InvalidHeader[] = [];
  if (!someMember(inputSchema ?? null, (name) => name === ANNOTATION)) return { headers, invalid };
  const names = new Set<string>();
  const open: Step[] = [{ value: inputSchema ?? null, pointer: "", isReachable: true, isByName: false }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { value, pointer, isByName } = step;
    if (!isByName && isJsonObject(value) && Object.hasOwn(value, ANNOTATION)) {
      const name = value[ANNOTATION] ?? null;
      const reason = invalidity(name, value["type"], step, names);
      if (reason !== undefined) invalid.push({ pointer: `${pointer}/${ANNOTATION}`, reason });
      else if (typeof name === "string") {
        names.add(name.toLowerCase());
        headers.push({ name, path: fromPointer(pointer).filter((_, index) => index % 2 === 1) });
      }
    }
    for (const next of stepsBelow(step)) open.push(next);
  }
  return { headers, invalid };
}

/** Returns the values inside a value, the last one first, so that the stack yields them in the schema's order. */
function stepsBelow({ value, pointer, isReachable, isByName }: Step): Step[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => isByName || !isData(key))
    .map(([key, below]) => ({
      value: below,
      pointer: pointer + toPointer([key]),
      isReachable: isReachable && (isByName || key === "properties"),
      isByName: !isByName && keywordOf(key)?.content === "by-name" && isJsonObject(below),
    }))
    .reverse();
}

/** Returns whether the value under a schema's key is plain data, in which no member is an annotation. */
function isData(key: string): boolean {
  return key === ANNOTATION || keywordOf(key)?.content === "data";
}

function invalidity(
  name: JsonValue,
  type: JsonValue | undefined,
  { pointer, isReachable }: Step,
  names: ReadonlySet<string>,
): string | undefined {
  if (typeof name !== "string" || !TOKEN.test(name)) return "it is not the name of an HTTP header";
  if (!isReachable || pointer === "") return "its parameter can be reached other than through properties";
  if (!PRIMITIVES.has(type)) return "its parameter is not of type integer, string or boolean";
  return names.has(name.toLowerCase()) ? "another parameter has the same header name" : undefined;
}
