import { createLock, lockServer, type ServerSnapshot, withServer } from "@agentprint/mcp-lock";
import { updateLock } from "../../src/lock/update-lock.ts";

// Adds servers to a lock file, one write for each: `node write-many.ts <lock file> <prefix> <count>`.
const [file = "", prefix = "", count = "0"] = process.argv.slice(2);
const snapshot: ServerSnapshot = {
  launch: { type: "stdio", command: "server", args: [], env: [] },
  clientCapabilities: {},
  protocolVersion: "2025-11-25",
  serverInfo: { name: "server", version: "1.0.0" },
  capabilities: {},
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
};

// All writers begin together: each says that it is ready, and goes when its input is closed.
process.stdout.write("ready\n");
for await (const _ of process.stdin);

for (let index = 0; index < Number(count); index++) {
  await updateLock({ pathOf: (path) => path, stdin: process.stdin }, file, (lock) =>
    withServer(lock ?? createLock({}), lockServer(`${prefix}-${index}`, snapshot)),
  );
}
