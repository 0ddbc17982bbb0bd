import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const HAS_PROC = process.platform === "linux" && existsSync("/proc/self/stat");

/** One running process. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Leader of its session. */
  readonly session: number;
  /** The time of its start: the system may use an id again, but not with the same start time. */
  readonly startTime: string;
  /** Whether its environment holds the mark. */
  readonly marked: boolean;
}

/**
 * Calls `visit` with every living process, the newest first where ids grow. `mark` is `NAME=value` of an environment
 * variable. Where processes cannot be listed, nothing is visited.
 */
export function eachProcess(mark: string, visit: (entry: ProcessEntry) => void): void {
  if (HAS_PROC) eachInProc(mark, visit);
  else if (process.platform !== "win32") for (const entry of listWithPs(mark)) visit(entry);
}

/** The start time of a living process; `undefined` when there is none with this id. */
export function startTimeOf(pid: number): string | undefined {
  if (HAS_PROC) return readStat(pid)?.startTime;
  return ps(["-p", String(pid), "-o", "lstart="])?.trim() || undefined;
}

/** The command line of a process as the system shows it; untrusted text. */
export function commandOf(pid: number): string {
  if (!HAS_PROC) return ps(["-p", String(pid), "-o", "command="])?.trim() ?? "";
  const words = readProc(pid, "cmdline")?.replace(/\0+$/, "").split("\0").join(" ");
  return words || readProc(pid, "comm")?.trim() || "";
}

function eachInProc(mark: string, visit: (entry: ProcessEntry) => void): void {
  const ownStartTime = readStat(process.pid)?.startTime ?? "0";
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  for (const pid of pids.reverse()) {
    const stat = readStat(pid);
    if (!stat) continue;
    // What is older than this process cannot have inherited the mark, and is most of a system.
    const isYounger = Number(stat.startTime) >= Number(ownStartTime);
    const marked = isYounger && (readProc(pid, "environ")?.split("\0").includes(mark) ?? false);
    visit({ pid, ...stat, marked });
  }
}

/** macOS and other systems without `/proc`: `ps` shows a process's environment behind its command line. */
export function listWithPs(mark: string): ProcessEntry[] {
  const environment = process.platform === "darwin" ? ["-axEww"] : ["axeww"];
  const lines = ps([...environment, "-o", "pid=,ppid=,sess=,stat=,lstart=,command="])?.split("\n") ?? [];
  return lines.flatMap((line) => {
    // A start time has five words: Sun Nov 22 06:37:13 2026.
    const [, pid, parent, session, state, startTime, rest] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s(.*)$/.exec(line) ?? [];
    if (state === undefined || startTime === undefined || state.startsWith("Z")) return [];
    const marked = rest?.split(" ").includes(mark) ?? false;
    return [{ pid: Number(pid), parent: Number(parent), session: Number(session), startTime, marked }];
  });
}

function ps(args: readonly string[]): string | undefined {
  const { stdout } = spawnSync("ps", args, { encoding: "latin1", maxBuffer: 64 * 1024 * 1024 });
  return stdout ?? undefined;
}

/** A process that is not a zombie. */
function readStat(pid: number): Pick<ProcessEntry, "parent" | "session" | "startTime"> | undefined {
  const text = readProc(pid, "stat");
  // The command name, in parentheses, may itself contain spaces and parentheses.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  if (!fields || fields[0] === "Z" || fields[0] === "X") return undefined;
  return { parent: Number(fields[1]), session: Number(fields[3]), startTime: fields[19] ?? "" };
}

function readProc(pid: number, file: "stat" | "environ" | "cmdline" | "comm"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}
