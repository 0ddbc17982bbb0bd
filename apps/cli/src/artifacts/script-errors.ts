import type { ArtifactError } from "@agentprint/artifacts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";

/**
 * Refuses a server whose packages have install scripts that nobody allowed, or one that failed: its runner would run them.
 *
 * @throws {@link CliError} `needs-scripts`
 */
export function refuseScripts(name: string, { code, message, packages }: ArtifactError): void {
  if (code === "script-failed") {
    throw new CliError("needs-scripts", `${name} was not started: ${message}`, {
      where: name,
      expected: "install scripts that end without an error",
      fix: "install what they need, such as a compiler, and run the command again",
    });
  }
  if (code !== "needs-scripts") return;
  const line = ["agentprint", "pin", "--replace", ...packages.flatMap((each) => ["--allow-scripts", each])];
  throw new CliError("needs-scripts", `${name} was not started: ${message}`, {
    where: name,
    expected: "packages without install scripts, or with scripts that somebody allowed",
    fix: `look at what these scripts do, then allow them when you pin it: ${commandLine([...line, "--name", name])} -- …`,
  });
}
