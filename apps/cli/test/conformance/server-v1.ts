// A server on the official SDK 1.x that answers every request of the conformance suite. It runs over its standard
// streams or, with the argument `http`, over streamable HTTP.
import { randomUUID } from "node:crypto";
import type { JsonObject } from "@agentprint/canonical-json";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Result,
  ResultSchema,
  type ServerNotification,
  type ServerRequest,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
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
import { TOOLS, toolList } from "./tools.ts";

function makeServer(): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList(TOOLS) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { sendNotification, sendRequest }) => {
    const tool = TOOLS[params.name];
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, "Unknown tool");
    return tool.call({
      arguments: (params.arguments ?? {}) as JsonObject,
      progressToken: params._meta?.progressToken,
      notify: (method, said) => sendNotification({ method, params: said } as ServerNotification),
      ask: (method, asked) =>
        sendRequest({ method, params: asked } as unknown as ServerRequest, ResultSchema) as Promise<JsonObject>,
    }) as Promise<Result>;
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: promptList() }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    found(getPrompt(params.name, params.arguments ?? {}), "Unknown prompt"),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resourceList }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: templateList }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    found(readResource(params.uri), "Resource not found"),
  );
  server.setRequestHandler(CompleteRequestSchema, () => COMPLETION);
  for (const schema of [SetLevelRequestSchema, SubscribeRequestSchema, UnsubscribeRequestSchema]) {
    server.setRequestHandler(schema as typeof SubscribeRequestSchema, () => ({}));
  }
  return server;
}

function found<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new McpError(ErrorCode.InvalidParams, otherwise);
  return value;
}

const sessions = new Map<string, StreamableHTTPServerTransport>();

if (process.argv[2] !== "http") await makeServer().connect(new StdioServerTransport());
else {
  listen(async (request, response, body, host) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    const isFirst = (body as { method?: string } | undefined)?.method === "initialize";
    if (known) return known.handleRequest(request, response, body);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      enableDnsRebindingProtection: true,
      allowedHosts: [host, host.replace("127.0.0.1", "localhost")],
    });
    if (!isFirst && request.headers["mcp-session-id"] !== undefined) return response.writeHead(404).end();
    await makeServer().connect(transport as Transport);
    return transport.handleRequest(request, response, body);
  });
}
