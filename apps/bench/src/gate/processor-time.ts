import { readFileSync } from "node:fs";

/** A tick of the counters for programs that have ended. */
export const TICK_US = 10_000;

/** Microseconds that this thread has computed. */
export function threadTime(): number {
  process.cpuUsage(); // Linux brings the counter of the thread up to date with this call, and else every few milliseconds
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Microseconds that the programs have computed which this process started and which have ended, in ticks; 0 where nothing counts them. */
export function programsTime(): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync("/proc/self/stat", "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_US;
}
