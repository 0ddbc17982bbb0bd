import { createHash } from "node:crypto";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Where Linux says in which container a process is. */
const NAMESPACE = "/proc/self/ns/pid";
/** Where Linux has a random id of the running system: the first container of every machine has the same number. */
const BOOT = "/proc/sys/kernel/random/boot_id";

/** Process ids mean something on one machine only, and there in one container only: 8 lowercase hex digits of both. */
export const MACHINE: string = createHash("sha256")
  .update(`${hostname()}\n${existsSync(BOOT) ? readFileSync(BOOT, "utf8") : ""}`)
  .update(`\n${existsSync(NAMESPACE) ? readlinkSync(NAMESPACE) : ""}`)
  .digest("hex")
  .slice(0, 8);

/** The process that writes a session. */
export interface Writer {
  readonly pid: number;
  readonly machine: string;
}

/** The times of a session, in milliseconds: its start, its last sign of life, and how long it may be silent. */
export interface SessionTimes {
  readonly begun: number;
  readonly last: number;
  /** On another machine a session is over when it was not heard of for so long. */
  readonly leftBehindAfter: number;
}

/** Whether the process that wrote a session is no longer there. */
export function isWriterGone({ pid, machine }: Writer, { begun, last, leftBehindAfter }: SessionTimes): boolean {
  if (machine !== MACHINE) return last < Date.now() - leftBehindAfter;
  // A session with the id of this process that began before it belongs to an earlier process.
  return pid === process.pid ? begun < processStart() : !isRunning(pid);
}

let earliestStart = performance.timeOrigin;

/** When this process started, by the clock as it was then or at any of these looks, whichever is earliest: the clock may have been set. */
function processStart(): number {
  earliestStart = Math.min(earliestStart, Date.now() - performance.now());
  return earliestStart;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
