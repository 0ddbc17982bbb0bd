import { readFileSync } from "node:fs";

/** A process above another one, with everything that Linux shows of it. */
export interface Ancestor {
  readonly pid: number;
  readonly shown: string;
}

/** The processes above a process, the nearest first. */
export function* ancestorsFrom(parent: number): Generator<Ancestor> {
  const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, "latin1");
  for (
    let pid = parent;
    pid > 1;
    pid = Number(
      read(pid, "stat")
        .replace(/^.*\) /s, "")
        .split(" ")[1],
    )
  ) {
    yield { pid, shown: ["comm", "cmdline", "environ"].map((file) => read(pid, file)).join("") };
  }
}
