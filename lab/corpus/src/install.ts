import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cachePath } from "./cache.ts";
import { output } from "./run.ts";
import { CORPUS } from "./servers.ts";

export const MCP_PIN_VERSION = "0.1.8";

const folder = fileURLToPath(CORPUS);

/** Installs the servers and `ai` from the lockfile, without running any package's scripts. */
export async function installServers(): Promise<void> {
  await output(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
}

/** Installs `mcp-pin` into the cache, and returns the Python that finds it. */
export async function installMcpPin(): Promise<string> {
  const venv = cachePath(`mcp-pin-${MCP_PIN_VERSION}`);
  const python = `${venv}/bin/python`;
  if (!existsSync(`${venv}/bin/mcp-pin`)) {
    await output(["python3", "-m", "venv", venv], { cwd: folder });
    await output([python, "-m", "pip", "install", "--quiet", `mcp-pin==${MCP_PIN_VERSION}`], { cwd: folder });
  }
  return python;
}

/** Returns the version of an installed package. */
export function installedVersion(name: string): string {
  return (JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, CORPUS), "utf8")) as { version: string })
    .version;
}
