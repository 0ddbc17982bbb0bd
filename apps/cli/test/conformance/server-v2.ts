// A server on the official SDK 2.4 that answers every request of the conformance suite, in both eras. It runs over its
// standard streams or, with the argument `http`, over streamable HTTP.
import { randomBytes, randomUUID } from "node:crypto";
import type { JsonObject } from "@agentprint/canonical-json";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  classifyInboundRequest,
  createMcpHandler,
  createRequestStateCodec,
  type GetPromptResult,
  localhostAllowedHostnames,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  validateHostHeader,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import {
  CAPABILITIES,
  COMPLETION,
  getPrompt,
  promptList,
  readResource,
  resourceList,
  SERVER_INFO,
  templateList,
} from "./contents.ts";
import { listen } from "./http-fixture.ts";
import { ROUND_PROMPTS, ROUND_TOOLS, type Round } from "./rounds.ts";
import { TOOLS, toolList } from "./tools.ts";

const codec = createRequestStateCodec<JsonObject>({ key: randomBytes(32) });

/** Tools that notify subscribers or log; the suite observes a stateless server through them. */
const SIGNALS = ["test_trigger_tool_change", "test_trigger_prompt_change", "test_logging_tool"];
const tools = toolList({
  ...TOOLS,
  ...Object.fromEntries([...Object.keys(ROUND_TOOLS), ...SIGNALS].map((name) => [name, {}])),
});

/** The subscribers that a server notifies when its lists change. */
interface Notifier {
  toolsChanged(): void;
  promptsChanged(): void;
}

function makeServer(notifier?: Notifier): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, requestState: { verify: codec.verify } });
  const { toolsChanged, promptsChanged } = notifier ?? {
    toolsChanged: () => void server.sendToolListChanged(),
    promptsChanged: () => void server.sendPromptListChanged(),
  };
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: given = {} } }, context) => {
    const rounds = ROUND_TOOLS[name];
    if (rounds) return (await rounds(roundOf(context))) as CallToolResult;
    if (name === "test_trigger_tool_change") toolsChanged();
    else if (name === "test_trigger_prompt_change") promptsChanged();
    else if (name === "test_logging_tool") await context.mcpReq.log("info", "logged");
    else return callTool(name, given as JsonObject, context);
    return { content: [{ type: "text", text: "done" }] };
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: promptList(Object.keys(ROUND_PROMPTS)) }));
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given = {} } }, context) => {
    const rounds = ROUND_PROMPTS[name];
    if (rounds) return (await rounds(roundOf(context))) as GetPromptResult;
    const prompt = getPrompt(name, given);
    if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown prompt");
    return prompt;
  });
  server.setRequestHandler("resources/list", () => ({ resources: resourceList }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: templateList }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const resource = readResource(uri);
    if (resource === undefined) throw new ResourceNotFoundError(uri);
    return resource;
  });
  server.setRequestHandler("completion/complete", () => COMPLETION);
  for (const method of ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"] as const) {
    server.setRequestHandler(method, () => ({}));
  }
  return server;
}

async function callTool(name: string, given: JsonObject, { mcpReq }: ServerContext): Promise<CallToolResult> {
  const tool = TOOLS[name];
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool");
  const result = await tool.call({
    arguments: given,
    progressToken: mcpReq._meta?.progressToken,
    notify: (method, params) => mcpReq.notify({ method, params }),
    ask: (method, params) => mcpReq.send({ method, params }, z.looseObject({})) as Promise<JsonObject>,
  });
  return result as CallToolResult;
}

function roundOf({ mcpReq: { inputResponses, requestState, envelope } }: ServerContext): Round {
  return {
    responses: inputResponses,
    state: requestState<JsonObject>(),
    seal: (state) => codec.mint(state),
    capabilities: ((envelope as JsonObject | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as JsonObject,
  };
}

const sessions = new Map<string, NodeStreamableHTTPServerTransport>();

if (process.argv[2] !== "http") serveStdio(() => makeServer());
else {
  const modern = createMcpHandler(() => makeServer(modern.notify));
  const handleModern = toNodeHandler(modern);
  listen(async (request, response, body) => {
    const { headers, method: httpMethod = "POST" } = request;
    if (!validateHostHeader(headers.host, localhostAllowedHostnames()).ok) return response.writeHead(403).end();
    const header = (name: string) => headers[name] as string | undefined;
    const [protocolVersionHeader, mcpMethodHeader] = [header("mcp-protocol-version"), header("mcp-method")];
    const inbound = classifyInboundRequest({
      httpMethod,
      ...(protocolVersionHeader !== undefined && { protocolVersionHeader }),
      ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
      body,
    });
    if (inbound.kind !== "legacy") return handleModern(request as Parameters<typeof handleModern>[0], response, body);
    const known = sessions.get(String(header("mcp-session-id")));
    if (known) return known.handleRequest(request, response, body);
    if (header("mcp-session-id") !== undefined) return response.writeHead(404).end();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await makeServer().connect(transport);
    return transport.handleRequest(request, response, body);
  });
}
