import { createLock, lockServer, withServer } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { updateLock } from "../../src/lock/update-lock.ts";

// Adds servers to a lock file, with one write for each: `node write-many.ts <lock file> <prefix> <count>`.
const [file = "", prefix = "", count = "0"] = process.argv.slice(2);
const answers = answersOf([]);

// All writers begin together: each reports that it is ready, and starts once its input is closed.
process.stdout.write("ready\n");
for await (const _ of process.stdin);

for (let index = 0; index < Number(count); index++) {
  await updateLock({ pathOf: (path) => path, stdin: process.stdin }, file, (lock) =>
    withServer(lock ?? createLock({}), lockServer(`${prefix}-${index}`, answers)),
  );
}
