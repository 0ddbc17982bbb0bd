import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

// Makes a server with the official SDK for the handshake versions.
export function makeServer(): McpServer {
  const server = new McpServer({ name: "sdk-v1", version: "1.0.0" }, { instructions: "Ask for the weather." });
  server.registerTool("weather", { description: "Weather of a city", inputSchema: { city: z.string() } }, () => ({
    content: [{ type: "text", text: "sunny" }],
  }));
  return server;
}

if (import.meta.main) await makeServer().connect(new StdioServerTransport());
