import { readFileSync } from "node:fs";

/** Linux reports the peak of this program only, in KB. */
process.on("exit", () => {
  console.log(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
});
