import { createHash } from "node:crypto";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Where Linux shows a process's container. */
const NAMESPACE = "/proc/self/ns/pid";
/**
 * Where Linux shows a random id of the running system. The container's number is not enough, because the first
 * container has the same number on every machine.
 */
const BOOT = "/proc/sys/kernel/random/boot_id";

/** An id of the machine and the container, in which process ids are unique: 8 lowercase hex digits. */
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

/** A session's times, in milliseconds: its start, its last heartbeat, and how long it may be silent. */
export interface SessionTimes {
  readonly begun: number;
  readonly last: number;
  /** A session on another machine counts as abandoned after this long without a heartbeat. */
  readonly leftBehindAfter: number;
}

/** Returns whether the process that wrote a session no longer exists. */
export function isWriterGone({ pid, machine }: Writer, { begun, last, leftBehindAfter }: SessionTimes): boolean {
  if (machine !== MACHINE) return last < Date.now() - leftBehindAfter;
  // A session with this process's id that began before this process belongs to an earlier process.
  return pid === process.pid ? begun < processStart() : !isRunning(pid);
}

let earliestStart = performance.timeOrigin;

/**
 * Returns the start time of this process, according to the clock at the start or at a later check, whichever gives the
 * earliest time, because the clock may have been set.
 */
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
