import { type JsonValue, toPointer } from "@agentprint/canonical-json";
import { isObject } from "./json-object.ts";

/** Why a client has to drop a tool for its `x-mcp-header`, and where in the input schema. */
export interface InvalidHeader {
  readonly pointer: string;
  readonly reason: string;
}

const ANNOTATION = "x-mcp-header";
const PRIMITIVES = new Set<unknown>(["integer", "string", "boolean"]);
/** `1*tchar` of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Keywords whose values are data, not schemas. */
const DATA = new Set(["const", "default", "enum", "examples"]);

/** A value on the way through a schema. */
interface Step {
  readonly value: JsonValue;
  readonly pointer: string;
  /** Whether only `properties` led here. */
  readonly isReachable: boolean;
  /** Whether the keys of the value are names of parameters. */
  readonly isPropertyMap: boolean;
}

/**
 * The annotations of an input schema that break the rules of MCP 2026-07-28, "Custom Headers from Tool Parameters".
 * Clients must not offer such a tool over HTTP.
 */
export function findInvalidHeaders(inputSchema: JsonValue | undefined): InvalidHeader[] {
  const found: InvalidHeader[] = [];
  const names = new Set<string>();
  const open: Step[] = [{ value: inputSchema ?? null, pointer: "", isReachable: true, isPropertyMap: false }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const reason = invalidity(step, names);
    if (reason !== undefined) found.push({ pointer: `${step.pointer}/${ANNOTATION}`, reason });
    for (const next of stepsBelow(step)) open.push(next);
  }
  return found;
}

/** The values below a step, the last first, so that a stack gives them back in order. */
function stepsBelow({ value, pointer, isReachable, isPropertyMap }: Step): Step[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => isPropertyMap || !DATA.has(key))
    .map(([key, below]) => {
      const isMap = !isPropertyMap && key === "properties" && isObject(value);
      const isStep = !Array.isArray(value) && (isPropertyMap || isMap);
      return {
        value: below,
        pointer: pointer + toPointer([key]),
        isReachable: isReachable && isStep,
        isPropertyMap: isMap,
      };
    })
    .reverse();
}

function invalidity({ value, pointer, isReachable, isPropertyMap }: Step, names: Set<string>): string | undefined {
  if (isPropertyMap || !isObject(value) || !Object.hasOwn(value, ANNOTATION)) return undefined;
  const annotation = value[ANNOTATION];
  if (typeof annotation !== "string" || !TOKEN.test(annotation)) return "it is not the name of an HTTP header";
  if (!isReachable || pointer === "") return "it does not stand at a parameter that is reached by properties alone";
  if (!PRIMITIVES.has(value["type"])) return "its parameter is not of type integer, string or boolean";
  const name = annotation.toLowerCase();
  if (names.has(name)) return "another parameter has the same header name";
  names.add(name);
  return undefined;
}
