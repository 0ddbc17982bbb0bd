import { readFileSync } from "node:fs";

/** A tick of the counters for programs that have ended. */
export const TICK_US = 10_000;

/** Microseconds that this thread has computed. */
export function threadTime(): number {
  process.cpuUsage(); // Linux brings the counter of the thread up to date with this call, and else every few milliseconds
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/**
 * Returns the processor time of the ended programs that this process started, in microseconds rounded to ticks; 0 where
 * no counter exists.
 */
export function programsTime(): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync("/proc/self/stat", "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_US;
}
