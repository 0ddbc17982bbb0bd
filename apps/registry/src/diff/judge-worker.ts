// The entry of the thread that compares schemas: proving a verdict may take two seconds, in which no request would be answered.
import { type MessagePort, parentPort } from "node:worker_threads";
import { judgeSchemaChanges, type ManifestDiff } from "@agentprint/manifest";

const port = parentPort as MessagePort;
port.on("message", ({ id, diff }: { readonly id: number; readonly diff: ManifestDiff }) => {
  port.postMessage({ id, judged: judgeSchemaChanges(diff) });
});
