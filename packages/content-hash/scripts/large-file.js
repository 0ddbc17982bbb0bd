// Hashes a file of 1 GB at every level, each in a process of its own, and fails where one needs more than 22 MB on top of
// what Node needs to evaluate an expression (41 MB). The peak of a process varies with the moments of its garbage collections: a level
// that misses the limit is measured again, and what its text needs shows in the lowest of three peaks.
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const GIGABYTE = 1_000_000_000;
const MAX_MEGABYTES = 22;
const ATTEMPTS = 3;
const block = Buffer.from("\tconst total = add(left, right);  // né\r\n\r\n    return total;\u2003\n".repeat(15_000));

const folder = mkdtempSync(join(tmpdir(), "large-file-"));
const path = join(folder, "large.txt");
const weigh = join(import.meta.dirname, "hash-and-weigh.js");
const run = (...args) => JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
const bare = run("-p", "process.resourceUsage().maxRSS / 1024");

console.log(`nothing    ${bare.toFixed(1)} MB`);
try {
  const file = openSync(path, "w");
  for (let written = 0; written < GIGABYTE; written += block.length) writeSync(file, block);
  closeSync(file);
  for (const level of ["bytes", "eol", "trailing", "whitespace", "lagovista"]) {
    let isWithin = false;
    for (let attempt = 0; attempt < ATTEMPTS && !isWithin; attempt++) {
      const { digest, peakMegabytes } = run(weigh, path, level);
      console.log(`${level.padEnd(10)} ${digest.slice(0, 16)}… ${peakMegabytes.toFixed(1)} MB`);
      isWithin = peakMegabytes - bare <= MAX_MEGABYTES;
    }
    if (!isWithin) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
