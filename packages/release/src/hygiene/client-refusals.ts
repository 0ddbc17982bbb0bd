import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { deepFreeze } from "@agentprint/canonical-json/json-value";
import { readHeaderAnnotations } from "@agentprint/mcp/headers";

/** An official client, in the tested version. `modern` supports MCP 2026-07-28, `legacy` earlier versions. */
export type MeasuredClient =
  | "@modelcontextprotocol/sdk 1.32.2"
  | "@modelcontextprotocol/client 2.4.0 (legacy)"
  | "@modelcontextprotocol/client 2.4.0 (modern)";

/** A form of a tool that official clients refuse; a test in this repository runs the clients on each form. */
export interface ClientRefusal {
  /** The form that every client accepts. */
  readonly expected: string;
  /** The clients that refuse the complete list because of one such tool. */
  readonly listRefusedBy: readonly MeasuredClient[];
  /** The clients that drop only the tool. */
  readonly toolDroppedBy: readonly MeasuredClient[];
  /** Returns the pointer to the wrong member in a tool, or `undefined` if there is none. */
  find(tool: JsonObject): string | undefined;
}

const OLD: MeasuredClient = "@modelcontextprotocol/sdk 1.32.2";
const LEGACY: MeasuredClient = "@modelcontextprotocol/client 2.4.0 (legacy)";
const MODERN: MeasuredClient = "@modelcontextprotocol/client 2.4.0 (modern)";

/** The forms, as measured. */
export const CLIENT_REFUSALS: readonly ClientRefusal[] = /* @__PURE__ */ deepFreeze<readonly ClientRefusal[]>([
  {
    expected: 'the type "object" in the input schema',
    listRefusedBy: [OLD, LEGACY, MODERN],
    toolDroppedBy: [],
    find: ({ inputSchema }) => (isOfObject(inputSchema) ? undefined : "/inputSchema"),
  },
  {
    expected: 'the type "object" in the output schema',
    listRefusedBy: [OLD, LEGACY],
    toolDroppedBy: [],
    find: ({ outputSchema }) => (outputSchema === undefined || isOfObject(outputSchema) ? undefined : "/outputSchema"),
  },
  {
    expected: "an object in each of the properties, {} for any value",
    listRefusedBy: [OLD],
    toolDroppedBy: [],
    find: ({ inputSchema }) => {
      const properties = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
      const isWrong = isJsonObject(properties) && Object.values(properties).some((each) => typeof each === "boolean");
      return isWrong ? "/inputSchema/properties" : undefined;
    },
  },
  {
    expected: "an x-mcp-header that follows the rules of MCP 2026-07-28",
    listRefusedBy: [],
    toolDroppedBy: [MODERN],
    find: ({ inputSchema }) => {
      const [invalid] = readHeaderAnnotations(inputSchema).invalid;
      return invalid && `/inputSchema${invalid.pointer}`;
    },
  },
]);

function isOfObject(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema["type"] === "object";
}
