import { writeFileSync } from "node:fs";
import { createLock, formatLock, type LockFile, type ServerSnapshot } from "@agentprint/mcp-lock";

// Names that examples in the documentation use without introducing them, and the file that they read.

export const snapshot: ServerSnapshot = {
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
export const servers: Record<string, ServerSnapshot> = { filesystem: snapshot };
export const lock: LockFile = createLock(servers);

writeFileSync("agentprint.lock", formatLock(lock));
