import { writeFileSync } from "node:fs";
import type { VisitAnswers } from "@agentprint/mcp";
import { createLock, formatLock, type LockableClient, type LockFile } from "@agentprint/mcp-lock";
import { filesAnswers } from "./files-answers.ts";

// Names that the examples in the documentation use without declaring them, and the file that they read.

export const answers: VisitAnswers = filesAnswers;
export const servers: Record<string, VisitAnswers> = { filesystem: answers };
export const lock: LockFile = createLock(servers);

/** A connected client of the official SDK. */
export const client: LockableClient = {
  request: async () => ({ tools: [{ name: "move_file", inputSchema: { type: "object" } }] }),
  getServerVersion: () => ({ name: "files", version: "1.2.3" }),
  getServerCapabilities: () => ({ tools: {} }),
  getInstructions: () => undefined,
};

writeFileSync("agentprint.lock", formatLock(lock));
