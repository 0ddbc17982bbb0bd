import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** A tick of the counters for programs that have ended. */
export const TICK_US = 10_000;
const MAX_WAIT_MS = 30_000;

/** Microseconds that this thread has computed. */
export function threadTime(): number {
  process.cpuUsage(); // Linux brings the counter of the thread up to date with this call, and else every few milliseconds
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/**
 * Returns the processor time of the ended programs that this process started, in microseconds rounded to ticks; 0 if no
 * counter exists. Under a subreaper it includes what these programs started and left to end.
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
 * Waits until the subreaper has no child but this process, for half a minute at most: then the time of the processes
 * that programs left is known.
 */
export async function whenReaped(): Promise<void> {
  const children = `/proc/${process.ppid}/task/${process.ppid}/children`;
  const end = performance.now() + MAX_WAIT_MS;
  while (readFileSync(children, "latin1").trim() !== String(process.pid) && performance.now() < end) await delay(1);
}
