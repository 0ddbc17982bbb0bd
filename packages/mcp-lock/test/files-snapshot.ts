import type { ServerSnapshot } from "@agentprint/mcp-lock";

/** A server of one tool. */
export const filesSnapshot: ServerSnapshot = {
  launch: { type: "stdio", command: "node", args: ["server.js"], env: [] },
  clientCapabilities: {},
  protocolVersion: "2025-11-25",
  serverInfo: { name: "files", version: "1.0.0" },
  capabilities: { tools: {} },
  tools: [{ name: "move_file", inputSchema: { type: "object" } }],
  prompts: [],
  resources: [],
  resourceTemplates: [],
};
