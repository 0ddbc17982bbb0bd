// The entry of the thread that compares schemas: proving a verdict may take two seconds, in which no request would be answered.
import { type MessagePort, parentPort } from "node:worker_threads";
import { type JudgedManifestDiff, judgeSchemaChanges, type ManifestDiff } from "@agentprint/manifest";
import type { ThreadAnswer, ThreadRequest } from "../thread.ts";

const port = parentPort as MessagePort;
port.on("message", ({ id, request }: ThreadRequest<ManifestDiff>) => {
  const answer: ThreadAnswer<JudgedManifestDiff> = { id, answer: judgeSchemaChanges(request) };
  port.postMessage(answer);
});
