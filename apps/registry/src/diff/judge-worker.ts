// The entry point of the thread that compares schemas. Proving a verdict may take two seconds, which would block every
// request in the main thread.
import { type MessagePort, parentPort } from "node:worker_threads";
import { addCompatibility, type JudgedManifestDiff, type ManifestDiff } from "@agentprint/manifest";
import type { ThreadAnswer, ThreadRequest } from "../thread.ts";

const port = parentPort as MessagePort;
port.on("message", ({ id, request }: ThreadRequest<ManifestDiff>) => {
  const answer: ThreadAnswer<JudgedManifestDiff> = { id, answer: addCompatibility(request) };
  port.postMessage(answer);
});
