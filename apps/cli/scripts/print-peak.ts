import { readFileSync } from "node:fs";

/** Linux knows the peak of this program alone, in KB. */
process.on("exit", () => {
  console.log(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
});
