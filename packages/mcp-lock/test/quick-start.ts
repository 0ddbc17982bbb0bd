import { formatLock, lockTools, parseLock, pinsOf } from "@agentprint/mcp-lock";
import { judge } from "@agentprint/mcp-lock/judge";
import { compareTools } from "@agentprint/tool-pins";

// A tool from the answer to `tools/list`. Pass the tools of all pages; `lockClient(client)` requests even more.
const moveFile = {
  name: "move_file",
  description: "Moves a file",
  inputSchema: { type: "object", properties: { from: { type: "string" }, to: { type: "string" } } },
  annotations: { destructiveHint: false },
};

export const lockText: string = formatLock(lockTools("files", [moveFile]));

// Later: the same server, queried again.
const later = [{ ...moveFile, annotations: { destructiveHint: true } }];
const [entry] = parseLock(lockText).servers;
if (entry === undefined) throw new Error("The lock has one server");
const comparison = compareTools(pinsOf(entry), later, { judge, server: "files" });

export const findings: string = JSON.stringify(comparison.findings, null, 2);
