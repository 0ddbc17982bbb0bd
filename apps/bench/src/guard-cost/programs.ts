import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = dirname(fileURLToPath(import.meta.resolve("agentprint/package.json")));

export const MCP_PIN_VERSION = "0.1.8";

/** A command of the built agentprint. */
export function agentprint(...args: readonly string[]): string[] {
  return [process.execPath, join(PACKAGE, "dist/main.js"), ...args];
}

/** Installs `mcp-pin` below a folder, and returns its program. */
export async function installMcpPin(folder: string): Promise<string> {
  const venv = join(folder, "mcp-pin");
  run(folder, ["python3", "-m", "venv", venv]);
  run(folder, [join(venv, "bin/python"), "-m", "pip", "install", "--quiet", `mcp-pin==${MCP_PIN_VERSION}`]);
  return join(venv, "bin/mcp-pin");
}

/** Runs a program to its end. */
export function run(cwd: string, [command = "", ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args[0]}: exit code ${status}\n${stderr}`);
}
