import { createLock, type LockFile } from "@agentprint/mcp-lock";

// Names that examples in the documentation use without introducing them.

export const lock: LockFile = createLock({
  files: {
    launch: { type: "stdio", command: "node", args: ["server.js"], env: [] },
    clientCapabilities: {},
    protocolVersion: "2025-11-25",
    serverInfo: { name: "files", version: "1.0.0" },
    capabilities: { tools: {} },
    tools: [{ name: "read_file", inputSchema: { type: "object" } }],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  },
});
