import { join } from "node:path";
import { python } from "@agentprint/testing/vectors/ports";
import type { Project } from "./project.ts";

/** Lints the installed vectors with `vectors` and with `agentprint vectors`, and runs a port on them. */
export function runVectors({ folder, run, bin }: Project): void {
  const tell = (words: readonly string[], command = "vectors"): void => {
    console.log(run(bin(command), words).stdout.trimEnd().split("\n").at(-1));
  };
  tell(["lint"]);
  tell(["vectors", "lint"], "agentprint");
  run(bin("vectors"), ["run"], { code: 2 }); // no port is named
  if (python === undefined) {
    console.log("skipped: there is no Python 3.10 for the Python port");
    return;
  }
  const port = join(folder, "node_modules", "@agentprint", "golden-vectors", "ports", "python", "src");
  const exec = `PYTHONPATH="${port}" PYTHONDONTWRITEBYTECODE=1 ${python} -m agentprint_port`;
  tell(["run", "canonical-json/rfc8785-numbers", "--exec", exec]);
}
