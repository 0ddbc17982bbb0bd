import { checkLock, createLock, formatLock, formatReport, parseLock, type ServerSnapshot } from "@agentprint/mcp-lock";

// What a server said of itself, raw: the `agentprint` command takes it from a real one.
const snapshot: ServerSnapshot = {
  launch: { type: "stdio", command: "npx", args: ["-y", "my-files-server", "."], env: ["HOME"] },
  clientCapabilities: {},
  protocolVersion: "2025-06-18",
  serverInfo: { name: "files", version: "1.0.0" },
  capabilities: { tools: {} },
  tools: [
    {
      name: "move_file",
      description: "Moves a file",
      inputSchema: { type: "object", properties: { from: { type: "string" }, to: { type: "string" } } },
      annotations: { destructiveHint: false },
    },
  ],
  prompts: [],
  resources: [],
  resourceTemplates: [],
};

export const lockText: string = formatLock(createLock({ files: snapshot }));

// Later: the same server, asked again.
const [moveFile] = snapshot.tools;
const later = { ...snapshot, tools: [{ ...moveFile, annotations: { destructiveHint: true } }] };
const drift = checkLock(parseLock(lockText), { files: later });

export const text: string = formatReport(drift, "text");
