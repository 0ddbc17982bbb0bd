import type { JsonObject } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { createLock } from "./create-lock.ts";
import type { LockFile } from "./lock.ts";

/**
 * Returns a lock of tools that are part of a program, or of a server that was queried elsewhere. Keep it in its own
 * file, because `agentprint check` starts the servers that a lock's entries name.
 *
 * @param server The name of the entry.
 * @param tools The reviewed definitions, as received.
 * @throws {@link McpLockError} `invalid-definition` if a definition is malformed; `duplicate-name` if a name repeats.
 *
 * @example
 * ```ts
 * import { lockTools } from "@agentprint/mcp-lock";
 *
 * const lock = lockTools("own", [{ name: "add", inputSchema: { type: "object" } }]);
 * console.log(lock.servers[0]?.tools.length); // 1
 * ```
 */
export function lockTools(server: string, tools: readonly JsonObject[]): LockFile {
  checkArgument("server", server, "string");
  checkArgument("tools", tools, ["object"]);
  return createLock({
    [server]: {
      launch: { type: "stdio", command: "in-process", args: [], env: [] },
      client: "bare",
      clientCapabilities: {},
      sessions: [
        {
          era: "legacy",
          view: "bare",
          protocolVersion: "2025-11-25",
          greetings: [{ serverInfo: { name: server, version: "" }, capabilities: { tools: {} } }],
          lists: { tools: [[{ tools: [...tools] }]] },
          contents: [],
        },
      ],
    },
  });
}
