import type { VisitAnswers } from "@agentprint/mcp";
import { answersOf } from "@agentprint/testing/lock/offer";

/** The answers of a server with one tool. */
export const filesAnswers: VisitAnswers = answersOf([{ name: "move_file", inputSchema: { type: "object" } }], {
  launch: { type: "stdio", command: "node", args: ["server.js"], env: [] },
  protocolVersion: "2025-11-25",
  serverInfo: { name: "files", version: "1.0.0" },
});
