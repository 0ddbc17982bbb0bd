// The client that the official conformance suite tests: it lists and uses everything, over a visit's transports.
import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { MODERN_VERSIONS } from "@agentprint/mcp";
import { readParamHeaders } from "@agentprint/mcp/headers";
import { type ClientAnswer, DEFAULT_LIMITS, type OpenSession, openSession, VisitError } from "@agentprint/mcp-visit";
import { authorizationFor, type Given } from "./scripted-login.ts";

// The suite passes the address as the last argument.
const url = process.argv.at(-1) ?? "";
const {
  MCP_CONFORMANCE_PROTOCOL_VERSION: version,
  MCP_CONFORMANCE_CONTEXT: context,
  MCP_CONFORMANCE_SCENARIO: scenario = "",
} = process.env;
const protocol = version !== undefined && MODERN_VERSIONS.includes(version) ? "modern" : "legacy";
const calls = (context === undefined ? {} : JSON.parse(context)) as Given & {
  toolCalls?: { name: string; arguments: JsonObject }[];
};

const session = await openSession(
  {
    type: "http",
    launch: { type: "http", url, headers: [] },
    url,
    headers: {},
    ...(scenario.startsWith("auth/") && { authorization: authorizationFor(url, scenario, calls) }),
  },
  {
    protocol,
    limits: DEFAULT_LIMITS,
    capabilities: { roots: {}, sampling: {}, elicitation: { form: { applyDefaults: true }, url: {} } },
    answer: (method, params) => answer(method, params),
  },
);
try {
  await session.listen(1000);
  await useTools(session);
  await useNamed(session, "prompts/list", "prompts", (item) =>
    session.request("prompts/get", { name: item["name"] ?? "" }),
  );
  await useNamed(session, "resources/list", "resources", (item) =>
    session.request("resources/read", { uri: item["uri"] ?? "" }),
  );
} finally {
  await session.close();
}

async function useTools(open: OpenSession): Promise<void> {
  const { tools } = await open.request("tools/list");
  const usable = objects(tools).filter((tool) => "headers" in readParamHeaders(tool));
  const named = usable.map((tool) => ({ name: String(tool["name"]), arguments: argumentsFor(tool, usable) }));
  for (const call of calls.toolCalls ?? named) {
    await attempt(open.request("tools/call", { name: call.name, arguments: call.arguments }));
  }
}

async function useNamed(
  open: OpenSession,
  method: string,
  member: string,
  use: (item: JsonObject) => Promise<unknown>,
): Promise<void> {
  const listed = await attempt(open.request(method));
  for (const item of objects(listed?.[member])) await attempt(use(item));
}

/** Accepts a server error as an answer; any other error ends the run. */
async function attempt<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof VisitError && error.code === "server-error") return undefined;
    throw error;
  }
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return (Array.isArray(value) ? value : []).filter(
    (item): item is JsonObject => typeof item === "object" && item !== null,
  );
}

/**
 * Returns arguments that a tool's required parameters accept, by their types; a tool that requires a schema gets
 * another tool's.
 */
function argumentsFor({ name: own, inputSchema }: JsonObject, tools: readonly JsonObject[]): JsonObject {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  const schema = tools.find(({ name }) => name !== own)?.["inputSchema"] ?? {};
  const example: Readonly<Record<string, JsonValue>> = {
    string: "text",
    number: 1,
    integer: 1,
    boolean: true,
    array: [],
    object: {},
  };
  return Object.fromEntries(
    required.map((name) => [name, name === "schema" ? schema : (example[String(properties[name]?.["type"])] ?? null)]),
  );
}

/** Answers like a user who accepts every form as it is filled in. */
function answer(method: string, params: JsonObject): ClientAnswer {
  if (method === "roots/list") return { result: { roots: [] } };
  if (method === "sampling/createMessage") {
    const content = { type: "text", text: "done" };
    return { result: { role: "assistant", model: "none", stopReason: "endTurn", content } };
  }
  if (method !== "elicitation/create") return { error: { code: -32_601, message: "Method not found" } };
  const schema = (params["requestedSchema"] ?? {}) as { properties?: Record<string, JsonObject> };
  const filled = Object.entries(schema.properties ?? {}).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { result: { action: "accept", content: Object.fromEntries(filled) } };
}
