import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

// Makes a server with the official SDK for 2026-07-28; the argument of the process selects how it handles the handshake.
export function makeServer(): McpServer {
  const server = new McpServer({ name: "sdk-v2", version: "1.0.0" }, { instructions: "Ask for the weather." });
  server.registerTool(
    "weather",
    { description: "Weather of a city", inputSchema: z.object({ city: z.string() }) },
    () => ({
      content: [{ type: "text", text: "sunny" }],
    }),
  );
  server.registerPrompt("greet", { description: "Greets" }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Hello" } }],
  }));
  server.registerResource("readme", "file:///readme.txt", { mimeType: "text/plain" }, () => ({
    contents: [{ uri: "file:///readme.txt", mimeType: "text/plain", text: "read me" }],
  }));
  return server;
}

if (import.meta.main) serveStdio(makeServer, { legacy: process.argv[2] === "reject" ? "reject" : "serve" });
