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
    // Members are looked up before the first signal: an orphan can no longer be told by its parent.
    for (let round = 0, members = membersOf(tree); round < ROUNDS && (round === 0 || members.length > 0); round++) {
      signalProcess(-tree.pid, "SIGKILL");
      for (const pid of members) signalProcess(pid, "SIGKILL");
      members = membersOf(tree);
    }
  }
  live.delete(tree);
  if (live.size > 0) return;
  process.off("exit", endAll);
  for (const signal of SIGNALS) process.off(signal, endOnSignal);
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

/** Linux: descendants of the leader, and processes that carry its session variable. Elsewhere the group has to do. */
function membersOf(tree: ProcessTree): number[] {
  if (process.platform !== "linux") return [];
  const children = new Map<number, number[]>();
  const marked: number[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? readProc(pid, "stat") : undefined;
    if (stat === undefined) continue;
    // The command name, in parentheses, may itself contain spaces and parentheses.
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") continue;
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), pid]);
    if (readProc(pid, "environ")?.split("\0").includes(`${SESSION_VARIABLE}=${tree.session}`)) marked.push(pid);
  }
  const members = new Set(marked);
  for (const pid of [tree.pid, ...marked]) addDescendants(pid, children, members);
  return [...members];
}

function addDescendants(root: number, children: ReadonlyMap<number, number[]>, members: Set<number>): void {
  const queue = [...(children.get(root) ?? [])];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    members.add(pid);
    queue.push(...(children.get(pid) ?? []));
  }
}

function readProc(pid: number, file: "stat" | "environ"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}
