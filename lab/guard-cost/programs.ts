import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = dirname(fileURLToPath(import.meta.resolve("agentprint/package.json")));

/** Returns the command line that runs a command of the built agentprint. */
export function agentprint(...args: readonly string[]): string[] {
  return [process.execPath, join(PACKAGE, "dist/main.js"), ...args];
}

/** Runs a program to its end. */
export function run(cwd: string, [command = "", ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args[0]}: exit code ${status}\n${stderr}`);
}
