import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "../bench/measure.ts";

const LAB = fileURLToPath(new URL("..", import.meta.url));
const ROUNDS = 15;

/** Runs a program and prints its processor time in seconds, which the machine's load hardly affects. */
const PROCESSOR_TIME = `
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
`;

/**
 * Returns the processor time in milliseconds that each program takes from start to end: the median of rounds that each
 * run every program once.
 */
export function startsOf(python: string, programs: readonly (readonly string[])[]): number[] {
  const times = programs.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, words] of programs.entries()) {
      const seconds = execFileSync(python, ["-c", PROCESSOR_TIME, ...words], { cwd: LAB, encoding: "utf8" });
      // The first round only fills caches, like the first start of a day.
      if (round > 0) times[index]?.push(Number(seconds) * 1000);
    }
  }
  return times.map(median);
}

/** Returns the command line that runs a module's code with this Node. */
export function evaluate(code: string): string[] {
  return [process.execPath, "--input-type=module", "--eval", code];
}
