// Hashes a file at a level and prints the digest and the peak memory of this process in MB.
import { readFileSync } from "node:fs";
import { computeFileHash } from "@agentprint/content-hash/node";

const [path, level] = process.argv.slice(2);
const digest = await computeFileHash(path, { level });
console.log(JSON.stringify({ digest, peakMegabytes: peak() }));

/** `maxRSS` also counts the parent that started this process, so Linux is asked for the peak of this program alone. */
function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
