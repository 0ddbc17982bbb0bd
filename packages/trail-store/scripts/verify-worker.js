// Verifies one task, in a JSON Lines file or in a store, with the packages as they are published, and writes the
// result and how much memory it took. Usage: verify-worker.js <path | url>
import { existsSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { verifyThoughtLines } from "@agentprint/trail/chain";
import { openTrailStore } from "@agentprint/trail-store";

async function* readChunks(path) {
  const file = await open(path);
  // One buffer is reused: thousands of them would fill the memory before they are collected.
  const buffer = Buffer.allocUnsafe(64 * 1024);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) break;
    yield buffer.subarray(0, bytesRead);
  }
  await file.close();
}

async function verify(source) {
  if (!/^(file|postgres):/.test(source)) return verifyThoughtLines(readChunks(source));
  const store = await openTrailStore(source, { create: false });
  const report = await store.verify("million");
  await store.close();
  return report;
}

const { ok, length } = await verify(process.argv[2] ?? "");
// On Linux the peak of resource usage begins with that of the process that started this one.
const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
const megabytes = Math.round(Number(peak) / 1024);
process.stdout.write(JSON.stringify({ ok, length, megabytes }));
