import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

const HAS_PROC = process.platform === "linux" && existsSync("/proc/self/stat");

/** One running process. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Leader of its session. */
  readonly session: number;
  /** The time when it started: the system may use an id again, but not with the same start time. */
  readonly startTime: string;
  /** The marks in its environment; empty for a known process, whose environment is not read again. */
  readonly marks: readonly string[];
}

/** Returns whether a process is known to belong to a server. */
type IsKnown = (pid: number, startTime: string) => boolean;

/**
 * Calls `visit` with every living process that may belong to a server, the newest first on systems where ids increase.
 * Each mark is the `NAME=value` of an environment variable. If processes cannot be listed, `visit` is never called.
 */
export function eachProcess(marks: readonly string[], isKnown: IsKnown, visit: (entry: ProcessEntry) => void): void {
  if (HAS_PROC) eachInProc(marks, isKnown, visit);
  else if (process.platform !== "win32") for (const entry of listWithPs(marks)) visit(entry);
}

/** Returns the start time of a living process, or `undefined` if no process has this id. */
export function startTimeOf(pid: number): string | undefined {
  if (HAS_PROC) return readStat(pid)?.startTime;
  return ps(["-p", String(pid), "-o", "lstart="])?.trim() || undefined;
}

/** Returns the command line of a process as the system shows it; this text is untrusted. */
export function commandOf(pid: number): string {
  if (!HAS_PROC) return ps(["-p", String(pid), "-o", "command="])?.trim() ?? "";
  const words = readProc(pid, "cmdline")?.replace(/\0+$/, "").split("\0").join(" ");
  return words || readProc(pid, "comm")?.trim() || "";
}

/**
 * The processes that are older than this one (most of a system's processes), each with the inode of its folder under
 * `/proc`. No such process can have inherited a mark, a session or a parent from a server. Reading a process's entry
 * takes several times as long as looking up this inode, and a later process with the same id has a different inode.
 */
const older = new Map<number, number>();

function eachInProc(marks: readonly string[], isKnown: IsKnown, visit: (entry: ProcessEntry) => void): void {
  const ownStartTime = Number(readStat(process.pid)?.startTime ?? 0);
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  for (const pid of pids.reverse()) {
    // The inode is looked up before the process is read, so an older process already had this folder by then.
    const inode = inodeOf(pid);
    if (inode === undefined || older.get(pid) === inode) continue;
    const stat = readStat(pid);
    if (!stat) continue;
    if (Number(stat.startTime) < ownStartTime) {
      older.set(pid, inode);
      continue;
    }
    // A process that is just starting blocks any reader of its environment.
    const environment = isKnown(pid, stat.startTime) ? "" : (readProc(pid, "environ") ?? "");
    visit({ pid, ...stat, marks: marksIn(environment, "\0", marks) });
  }
}

function inodeOf(pid: number): number | undefined {
  try {
    return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
}

/**
 * Lists the processes on macOS and other systems without `/proc`; `ps` shows a process's environment after its command
 * line.
 */
export function listWithPs(marks: readonly string[]): ProcessEntry[] {
  const environment = process.platform === "darwin" ? ["-axEww"] : ["axeww"];
  const lines = ps([...environment, "-o", "pid=,ppid=,sess=,stat=,lstart=,command="])?.split("\n") ?? [];
  return lines.flatMap((line) => {
    // A start time consists of five words: Sun Nov 22 06:37:13 2026.
    const [, pid, parent, session, state, startTime, rest] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s(.*)$/.exec(line) ?? [];
    if (state === undefined || startTime === undefined || state.startsWith("Z")) return [];
    const held = marksIn(rest ?? "", " ", marks);
    return [{ pid: Number(pid), parent: Number(parent), session: Number(session), startTime, marks: held }];
  });
}

function marksIn(environment: string, separator: string, marks: readonly string[]): string[] {
  const variables = `${separator}${environment}${separator}`;
  return marks.filter((mark) => variables.includes(`${separator}${mark}${separator}`));
}

function ps(args: readonly string[]): string | undefined {
  const { stdout } = spawnSync("ps", args, { encoding: "latin1", maxBuffer: 64 * 1024 * 1024 });
  return stdout ?? undefined;
}

/** Reads the state of a process; `undefined` if it has ended or is a zombie. */
function readStat(pid: number): Pick<ProcessEntry, "parent" | "session" | "startTime"> | undefined {
  const text = readProc(pid, "stat");
  // The command name, in parentheses, may itself contain spaces and parentheses.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ", 20);
  if (!fields || fields[0] === "Z" || fields[0] === "X") return undefined;
  return { parent: Number(fields[1]), session: Number(fields[3]), startTime: fields[19] ?? "" };
}

/**
 * Reads the file as UTF-8, which Node does without a separate buffer for each file. The text to search for is ASCII.
 */
function readProc(pid: number, file: "stat" | "environ" | "cmdline" | "comm"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
