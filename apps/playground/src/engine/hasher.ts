/// <reference lib="webworker" />
// The worker that hashes for another one, which reads and compares meanwhile: without native code, hashing is half of the work.
import { hashLines } from "./hash-lines.ts";
import { withoutNetwork } from "./without-network.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;

withoutNetwork(scope);

scope.addEventListener("message", ({ data: port }: MessageEvent<MessagePort>) => {
  port.onmessage = ({ data }: MessageEvent<string>) => port.postMessage(hashLines(data));
});
