import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hashCanonical } from "@agentprint/canonical-json";
import { records } from "./corpora.ts";

const RESET_PEAK = "/proc/self/clear_refs";

/** Returns the peak resident memory of this process in bytes since the last reset. */
function peak(): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
}

/**
 * Hashes 10 MB of records in a separate process and returns the extra peak memory in MB, or `undefined` if the
 * operating system does not report it (needs Linux).
 */
export function hashingMemory(): number | undefined {
  if (!existsSync(RESET_PEAK)) return undefined;
  const printed = execFileSync(process.execPath, ["--expose-gc", import.meta.filename, "child"], { encoding: "utf8" });
  return Number(printed);
}

if (process.argv[2] === "child") {
  const value = records();
  hashCanonical(value.slice(0, 2000));
  (globalThis as { gc?: () => void }).gc?.();
  writeFileSync(RESET_PEAK, "5");
  const before = peak();
  hashCanonical(value);
  console.log(((peak() - before) / 2 ** 20).toFixed(1));
}
