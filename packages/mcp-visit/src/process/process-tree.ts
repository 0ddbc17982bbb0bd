import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { escapeText } from "@agentprint/canonical-json";
import type { Survivor } from "../survivor.ts";
import { endingOf } from "./ending.ts";
import { findMembers, findMembersNow, liveTrees, type ProcessTree } from "./find-members.ts";
import { commandOf, startTimeOf } from "./process-table.ts";

/** The time within which every process of a server must end, in milliseconds. */
const DEADLINE = 5000;
/** The pause between two attempts, in milliseconds. */
const PAUSE = 5;
/** How long no new process may appear before the tree counts as ended, in milliseconds. */
const QUIET = 250;
/**
 * The number of scans without a new process that is also required, because on a busy machine, starting a process is as
 * slow as a scan.
 */
const QUIET_LOOKS = 25;
/** How long a process may still be listed after it closed its streams, in milliseconds. */
const LEAVING = 25;

/** Whether a signal to this process ends the trees immediately; otherwise, the caller ends them. */
let endsOnSignals = false;

/**
 * Ends the tree when this process ends, unless this process is ended by SIGKILL.
 *
 * @param running - Fulfilled when the server runs
 * @param onSignals - Whether a signal to this process ends all trees immediately.
 */
export function trackTree(tree: ProcessTree, running: Promise<void>, onSignals = true): void {
  if (onSignals && !endsOnSignals) {
    endsOnSignals = true;
    for (const signal of SIGNALS) process.on(signal, endOnSignal);
  }
  if (liveTrees.size === 0) {
    process.on("exit", endAll);
    // The first scan takes the longest, and there is time for it while a server starts. If it fails, the scan before
    // the end will fail too.
    running.then(() => findMembers(tree)).catch(() => undefined);
  }
  liveTrees.add(tree);
}

/** Asks the process group to end. On Windows, no such request exists. */
export function terminateTree(tree: ProcessTree): void {
  const ending = endingOf(tree.pid, process.platform);
  if (ending.program === undefined) signalProcess(ending.group, "SIGTERM");
}

/**
 * Ends every process of a tree, including those without a living parent, and keeps trying for five seconds.
 *
 * @returns The processes that are still running.
 */
export async function killTree(tree: ProcessTree): Promise<readonly Survivor[]> {
  const hasEnded = await waitForShell(tree);
  const deadline = Date.now() + DEADLINE;
  // If processes cannot be listed, only the signal to the group ends them.
  if (hasEnded) signalProcess(-tree.pid, "SIGKILL");
  const first = new Set(hasEnded ? [] : killRound(tree));
  let left: readonly number[] = [...first];
  // A killed process is listed for a moment after its end, and may have started another process just before.
  let quietAt = Date.now() + (first.size > 0 ? QUIET : 0);
  let looks = first.size > 0 ? QUIET_LOOKS : 0;
  while (left.length > 0 || looks > 0 || Date.now() < quietAt) {
    if (Date.now() > deadline) return stillThere(tree);
    await sleep(PAUSE);
    left = killRound(tree);
    looks--;
    if (!left.some((pid) => !first.has(pid))) continue;
    quietAt = Date.now() + QUIET;
    looks = QUIET_LOOKS;
  }
  untrack(tree);
  return [];
}

/**
 * Waits a moment for processes that end by themselves, and returns whether all have ended. The shell that waited for
 * the server is still listed for a moment after it reported the exit code; killing it would look like ending a server
 * that keeps running, and would take {@link QUIET}.
 */
async function waitForShell(tree: ProcessTree): Promise<boolean> {
  if (process.platform === "win32") return false;
  for (const end = Date.now() + LEAVING; Date.now() < end; await sleep(PAUSE)) {
    if ((await findMembers(tree)).length === 0) return true;
  }
  return false;
}

/**
 * Returns the processes that are still running after all attempts. A process that restarts itself may not be listed for
 * a moment.
 */
async function stillThere(tree: ProcessTree): Promise<readonly Survivor[]> {
  let found: Survivor[] = [];
  const end = Date.now() + QUIET;
  for (let looks = 0; found.length === 0 && (looks < QUIET_LOOKS || Date.now() < end); looks++) {
    found = survivorsAmong(findMembersNow(tree));
    if (found.length === 0) await sleep(PAUSE);
  }
  untrack(tree);
  return found;
}

/** Kills each process of the tree as soon as it is found, and returns the processes that were found. */
function killRound(tree: ProcessTree): readonly number[] {
  const ending = endingOf(tree.pid, process.platform);
  if (ending.program !== undefined) {
    spawnSync(ending.program, ending.args, { stdio: "ignore", windowsHide: true });
    return [];
  }
  // This happens before the group is killed, because a process that left the group can be found only through its
  // parent, while the parent runs.
  const seen = findMembersNow(tree, (pid) => signalProcess(pid, "SIGKILL"));
  signalProcess(ending.group, "SIGKILL");
  return seen;
}

function survivorsAmong(pids: readonly number[]): Survivor[] {
  return pids.filter((pid) => startTimeOf(pid) !== undefined).map((pid) => ({ pid, command: commandOf(pid) }));
}

function untrack(tree: ProcessTree): void {
  if (!liveTrees.delete(tree) || liveTrees.size > 0) return;
  process.off("exit", endAll);
  endsOnSignals = false;
  for (const signal of SIGNALS) process.off(signal, endOnSignal);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends all trees when this process exits, without an event loop, and names on stderr the processes that could not be
 * ended.
 */
function endAll(): void {
  const deadline = Date.now() + DEADLINE;
  for (const tree of liveTrees) {
    // A stopped process cannot start another one between the scan that finds its descendants and its own end.
    findMembersNow(tree, (pid) => signalProcess(pid, "SIGSTOP"));
    let left: readonly number[] = killRound(tree);
    while (left.length > 0 && Date.now() < deadline) left = killRound(tree);
    for (const { pid, command } of survivorsAmong(left)) {
      process.exitCode = 2;
      process.stderr.write(`error: still running, started by a server: ${pid} ${escapeText(command)}\n`);
    }
    untrack(tree);
  }
}

function endOnSignal(signal: NodeJS.Signals): void {
  endAll();
  // The handlers are now removed, so the signal has its usual effect on this process.
  process.kill(process.pid, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
