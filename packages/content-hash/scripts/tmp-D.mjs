import { readFileSync } from "node:fs";
import { computeFileHash } from "../dist/node/index.js";
const [path, level] = process.argv.slice(2);
const digest = await computeFileHash(path, { level });
console.log(JSON.stringify({ digest, peakMegabytes: Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024 }));
