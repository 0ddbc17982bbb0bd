import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Environment variable by which the processes that a server leaves behind are found again (Linux). */
export const SESSION_VARIABLE = "AGENTPRINT_SESSION";

const ROUNDS = 5;

/** A started server with everything that it started itself. */
export interface ProcessTree {
  /** Leader of the process group. */
  readonly pid: number;
  /** Value of {@link SESSION_VARIABLE} in the leader's environment. */
  readonly session: string;
  /** Processes known to belong to it, each with its start time, since an id can be given again. */
  readonly members: Map<number, string>;
}

const live = new Set<ProcessTree>();

/** Makes sure that a tree ends with agentprint itself, however that ends short of SIGKILL. */
export function trackTree(tree: ProcessTree): void {
  if (live.size === 0) {
    process.on("exit", endAll);
    for (const signal of SIGNALS) process.on(signal, endOnSignal);
  }
  live.add(tree);
}

/** Asks the process group to end. */
export function terminateTree(tree: ProcessTree): void {
  if (process.platform !== "win32") signalProcess(-tree.pid, "SIGTERM");
}

/** Ends every process of a tree at once, also those that outlived or left their parent. */
export function killTree(tree: ProcessTree): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(tree.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  } else {
    for (let round = 0; round < ROUNDS && (findMembers(tree) > 0 || round === 0); round++) {
      signalProcess(-tree.pid, "SIGKILL");
      for (const [pid, startTime] of tree.members) {
        if (readStat(pid)?.startTime === startTime) signalProcess(pid, "SIGKILL");
      }
    }
  }
  live.delete(tree);
  if (live.size > 0) return;
  process.off("exit", endAll);
  for (const signal of SIGNALS) process.off(signal, endOnSignal);
}

/**
 * Linux: adds the descendants of known members and the processes that carry the session variable, and returns how many
 * members live. Call it while the leader lives: an orphan can no longer be told by its parent. Elsewhere the process
 * group has to do.
 */
export function findMembers(tree: ProcessTree): number {
  if (process.platform !== "linux") return 0;
  const processes = new Map<number, Stat>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? readStat(pid) : undefined;
    if (stat) processes.set(pid, stat);
  }
  const mark = `${SESSION_VARIABLE}=${tree.session}`;
  for (const [pid, { startTime }] of processes) {
    if (readProc(pid, "environ")?.split("\0").includes(mark)) tree.members.set(pid, startTime);
  }
  for (let found = -1; found !== tree.members.size; ) {
    found = tree.members.size;
    for (const [pid, { parent, startTime }] of processes) {
      if (parent === tree.pid || tree.members.has(parent)) tree.members.set(pid, startTime);
    }
  }
  return [...tree.members].filter(([pid, startTime]) => processes.get(pid)?.startTime === startTime).length;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function endAll(): void {
  for (const tree of live) killTree(tree);
}

function endOnSignal(signal: NodeJS.Signals): void {
  endAll();
  // Our handlers are gone now: the signal does to us what it does to any program.
  process.kill(process.pid, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

interface Stat {
  readonly parent: number;
  readonly startTime: string;
}

/** A process that is not a zombie. */
function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, "stat");
  // The command name, in parentheses, may itself contain spaces and parentheses.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  if (!fields || fields[0] === "Z") return undefined;
  return { parent: Number(fields[1]), startTime: fields[19] ?? "" };
}

function readProc(pid: number, file: "stat" | "environ"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}
