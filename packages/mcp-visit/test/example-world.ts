import type { VisitAnswers } from "@agentprint/mcp";

// Names that the examples in the documentation use without declaring them.

export const answers: VisitAnswers = {
  launch: { type: "stdio", command: "node", args: ["server.js"], env: ["API_TOKEN"] },
  client: "claude-code",
  clientCapabilities: {},
  sessions: [
    {
      era: "legacy",
      view: "client",
      protocolVersion: "2025-11-25",
      greetings: [{ protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } }],
      lists: { tools: [[{ tools: [{ name: "search", description: "hunter2", inputSchema: { type: "object" } }] }]] },
      contents: [],
    },
  ],
};
