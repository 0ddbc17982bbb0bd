import type { VisitAnswers } from "@agentprint/mcp";
import { checkLock, createLock, driftFindings, formatLock, parseLock, summarizeDrift } from "@agentprint/mcp-lock";

// The raw answers of a server: `visitServer` of @agentprint/mcp-visit asks a real one.
const moveFile = {
  name: "move_file",
  description: "Moves a file",
  inputSchema: { type: "object", properties: { from: { type: "string" }, to: { type: "string" } } },
  annotations: { destructiveHint: false },
};
const answersWith = (tool: typeof moveFile): VisitAnswers => ({
  launch: { type: "stdio", command: "npx", args: ["-y", "my-files-server@1.2.3", "."], env: ["HOME"] },
  client: "claude-code",
  clientCapabilities: { roots: {} },
  sessions: [
    {
      era: "modern",
      view: "client",
      protocolVersion: "2026-07-28",
      greetings: [{ resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }],
      lists: { tools: [[{ resultType: "complete", tools: [tool], ttlMs: 0, cacheScope: "private" }]] },
      contents: [],
    },
  ],
});

export const lockText: string = formatLock(createLock({ files: answersWith(moveFile) }));

// Later: the same server, asked again.
const later = answersWith({ ...moveFile, annotations: { destructiveHint: true } });
const drift = checkLock(parseLock(lockText), { files: later });

export const summary: string = summarizeDrift(drift);
export const findings: string = JSON.stringify(driftFindings(drift), null, 2);
