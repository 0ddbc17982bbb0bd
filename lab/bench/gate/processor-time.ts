import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The resolution of the counters for ended programs, in microseconds. */
export const TICK_US = 10_000;
const MAX_WAIT_MS = 30_000;

/** Returns this thread's processor time in microseconds. */
export function threadTime(): number {
  process.cpuUsage(); // Linux brings the counter of the thread up to date with this call, and else every few milliseconds
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/**
 * Returns the processor time of the ended programs that this process started, in microseconds rounded to ticks; 0 if no
 * counter exists. Under a subreaper the result includes the programs that these programs started and left running.
 */
export function programsTime(isReaped = false): number {
  if (process.platform !== "linux") return 0;
  return endedTime("self") + (isReaped ? endedTime(process.ppid) : 0);
}

function endedTime(process: number | "self"): number {
  const fields = readFileSync(`/proc/${process}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_US;
}

/**
 * Waits, for half a minute at most, until the subreaper has no child except this process: the time of the programs left
 * running is then known.
 */
export async function whenReaped(): Promise<void> {
  const children = `/proc/${process.ppid}/task/${process.ppid}/children`;
  const end = performance.now() + MAX_WAIT_MS;
  while (readFileSync(children, "latin1").trim() !== String(process.pid) && performance.now() < end) await delay(1);
}
