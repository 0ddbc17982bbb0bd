import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { type HeaderAnnotation, readHeaderAnnotations } from "./header-annotations.ts";
import { encodeHeaderValue } from "./header-value.ts";

/** The parameters of a tool that a call also sends as headers, or the reason why clients over HTTP omit the tool. */
export type ParamHeaders = { readonly headers: readonly HeaderAnnotation[] } | { readonly invalid: string };

/**
 * Reads the `x-mcp-header` annotations in a tool's `inputSchema` (MCP 2026-07-28, "Custom Headers from Tool
 * Parameters").
 *
 * @example
 * ```ts
 * import { readParamHeaders } from "@agentprint/mcp/headers";
 *
 * const inputSchema = { properties: { region: { type: "string", "x-mcp-header": "Region" } } };
 * readParamHeaders({ name: "query", inputSchema }); // { headers: [{ name: "Region", path: ["region"] }] }
 * ```
 */
export function readParamHeaders(tool: JsonObject): ParamHeaders {
  checkArgument("tool", tool, "object");
  const { headers, invalid } = readHeaderAnnotations(tool["inputSchema"]);
  const [problem] = invalid;
  if (problem) return { invalid: `${problem.pointer}: ${problem.reason}` };
  return { headers: [...headers].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Returns the headers of a call with these arguments. */
export function paramHeaders(
  headers: readonly HeaderAnnotation[],
  args: JsonValue | undefined,
): Record<string, string> {
  checkArgument("headers", headers, ["object"]);
  const values = headers.map(({ name, path }) => [name, valueAt(args, path)] as const);
  return Object.fromEntries(
    values.flatMap(([name, value]) => {
      if (typeof value !== "string" && typeof value !== "boolean" && typeof value !== "number") return [];
      if (typeof value === "number" && !Number.isSafeInteger(value)) return [];
      return [[`mcp-param-${name.toLowerCase()}`, encodeHeaderValue(String(value))]];
    }),
  );
}

function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (place, key) => (isJsonObject(place) && Object.hasOwn(place, key) ? place[key] : undefined),
    value,
  );
}
