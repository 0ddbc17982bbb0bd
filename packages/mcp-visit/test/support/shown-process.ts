import { readFileSync } from "node:fs";

/** A process, with everything that Linux shows about it. */
export interface ShownProcess {
  readonly pid: number;
  readonly shown: string;
}

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, "latin1");

/** Yields a process and its ancestors. */
export function* processesFrom(nearest: number): Generator<ShownProcess> {
  for (let pid = nearest; pid > 1; pid = parentOf(pid)) {
    yield { pid, shown: ["comm", "cmdline", "environ"].map((file) => read(pid, file)).join("") };
  }
}

function parentOf(pid: number): number {
  const [, parent] = read(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  return Number(parent);
}
