// Hashes a file at a level and prints the digest and the peak memory of this process in MB.
import { computeFileHash } from "@agentprint/content-hash/node";

const [path, level] = process.argv.slice(2);
const digest = await computeFileHash(path, { level });
console.log(JSON.stringify({ digest, peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
