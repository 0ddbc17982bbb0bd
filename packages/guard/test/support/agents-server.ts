import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { MCPServer } from "@openai/agents";
import type { FileServer } from "./file-server.ts";

/**
 * Returns a server for the OpenAI Agents SDK, implemented as a program does it for a transport that the SDK does not
 * support. It is connected.
 */
export async function agentsServer(files: FileServer): Promise<MCPServer> {
  const client = new Client({ name: "my-agent", version: "1.0.0" });
  await client.connect(files.connect());
  let cached: Awaited<ReturnType<MCPServer["listTools"]>> | undefined;
  const callToolResult: NonNullable<MCPServer["callToolResult"]> = async (name, args) =>
    (await client.callTool({ name, arguments: args ?? {} })) as never;
  return {
    name: "files",
    cacheToolsList: true,
    connect: async () => {},
    close: () => client.close(),
    listTools: async () => {
      cached ??= (await client.listTools()).tools as never;
      return cached ?? [];
    },
    invalidateToolsCache: async () => {
      cached = undefined;
    },
    callTool: async (...call) => (await callToolResult(...call)).content,
    callToolResult,
  };
}
