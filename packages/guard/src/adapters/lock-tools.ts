import type { JsonObject } from "@agentprint/canonical-json/json-value";
import { createLock, type LockFile } from "@agentprint/mcp-lock";
import { checkArgument } from "../check-argument.ts";

/**
 * Returns a lock of tools that live in a program and have no server. Keep it in a file of its own: `agentprint check`
 * starts the servers that the entries of a lock name.
 *
 * @param server The name of the entry, which the guard is given as `server`.
 * @param tools The reviewed definitions, as {@link describeTools} of the framework returns them.
 * @throws {@link McpLockError} `invalid-definition`, `duplicate-name` when a definition is malformed or a name repeats.
 * @example
 * ```ts
 * import { lockTools } from "@agentprint/guard/ai-sdk";
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
