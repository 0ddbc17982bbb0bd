import type { JsonObject } from "@agentprint/canonical-json";
import { type LockedServer, lockServer } from "@agentprint/mcp-lock";
import { answersOf } from "./offer.ts";

/** Returns the lock entry of a server with some tools, in a version. */
export function entryOf(tools: readonly JsonObject[], version = "1.0.0"): LockedServer {
  return lockServer("files", answersOf(tools, { serverInfo: { name: "files", version } }));
}

/** Returns a tool that takes a path, with more members. */
export function tool(name: string, rest: JsonObject = {}): JsonObject {
  const inputSchema = { type: "object", properties: { path: { type: "string" } }, additionalProperties: false };
  return { name, description: "Reads one file and returns its whole text", inputSchema, ...rest };
}

/** Returns the same tool with `path` required. */
export function strictTool(name: string): JsonObject {
  const { inputSchema, ...rest } = tool(name);
  return { ...rest, inputSchema: { ...(inputSchema as JsonObject), required: ["path"] } };
}
