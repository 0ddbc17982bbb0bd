import type { JsonObject } from "@agentprint/canonical-json";
import { createLock, type LockFile } from "@agentprint/mcp-lock";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const path: JsonObject = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

/** The server's locked tools. */
export const FILE_TOOLS: readonly JsonObject[] = [
  { name: "read_file", description: "Reads a file", inputSchema: path, annotations: { readOnlyHint: true } },
  {
    name: "count_lines",
    description: "Counts the lines of a file",
    inputSchema: path,
    outputSchema: { type: "object", properties: { lines: { type: "integer" } }, required: ["lines"] },
  },
];

export const DELETE_FILE: JsonObject = { name: "delete_file", description: "Deletes a file", inputSchema: path };

export const fileLock: LockFile = createLock({
  files: {
    launch: { type: "stdio", command: "node", args: ["server.js"], env: [] },
    client: "claude-code",
    clientCapabilities: {},
    sessions: [
      {
        era: "legacy",
        view: "client",
        protocolVersion: "2025-11-25",
        greetings: [
          { serverInfo: { name: "files", version: "1.0.0" }, capabilities: { tools: { listChanged: true } } },
        ],
        lists: { tools: [[{ tools: [...FILE_TOOLS] }]] },
        contents: [],
      },
    ],
  },
});

/** A server on the official SDK whose tools a test can change. */
export interface FileServer {
  tools: readonly JsonObject[];
  /** The names of the tools that were called. */
  readonly calls: string[];
  readonly server: Server;
  /** Connects the server to a new transport, and returns its other end. */
  connect(): InMemoryTransport;
}

export function fileServer(): FileServer {
  const capabilities = { tools: { listChanged: true } };
  const server = new Server({ name: "files", version: "1.0.0" }, { capabilities });
  const calls: string[] = [];
  const files: FileServer = {
    tools: FILE_TOOLS,
    calls,
    server,
    connect() {
      const [end, serverEnd] = InMemoryTransport.createLinkedPair();
      void server.connect(serverEnd);
      return end;
    },
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...files.tools] as never }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given } }) => {
    calls.push(name);
    const text = `${name} ${String(given?.["path"])}`;
    return { content: [{ type: "text", text }], ...(name === "count_lines" && { structuredContent: { lines: 3 } }) };
  });
  return files;
}

/** Returns the tools, of which one has changed. */
export function changedTools(name: string, change: JsonObject): JsonObject[] {
  return FILE_TOOLS.map((tool) => (tool["name"] === name ? { ...tool, ...change } : tool));
}
