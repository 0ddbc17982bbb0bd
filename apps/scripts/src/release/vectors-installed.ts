import { join } from "node:path";
import { python } from "@agentprint/testing/vectors/ports";
import type { Project } from "./project.ts";

/** Runs the installed vectors, and a port that is installed with them. */
export function runVectors({ folder, run, bin }: Project): void {
  const tell = (words: readonly string[]): void => {
    console.log(run(bin("vectors"), words).stdout.trimEnd().split("\n").at(-1));
  };
  tell(["lint"]);
  tell(["run"]);
  if (python === undefined) {
    console.log("skipped: there is no Python 3.10 for the Python port");
    return;
  }
  const port = join(folder, "node_modules", "@agentprint", "golden-vectors", "ports", "python", "src");
  const exec = `PYTHONPATH="${port}" PYTHONDONTWRITEBYTECODE=1 ${python} -m agentprint_port`;
  tell(["run", "canonical-json/rfc8785-numbers", "--exec", exec]);
}
