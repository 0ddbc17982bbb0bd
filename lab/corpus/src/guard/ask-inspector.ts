import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { run } from "../run.ts";
import type { Release } from "../servers.ts";
import { AGENTPRINT, homeOf } from "./guard-upgrade.ts";

const INSPECTOR = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);

/** Uses the guarded file server after the upgrade through MCP Inspector's command line, and returns the faults. */
export async function askInspector(before: Release, after: Release): Promise<string[]> {
  const cwd = homeOf(before, after);
  const env = { HOME: cwd, XDG_STATE_HOME: `${cwd}/../state` };
  const ask = (...more: string[]) =>
    run([process.execPath, INSPECTOR, "--cli", ...AGENTPRINT, "guard", before.name, "--method", ...more], { cwd, env });
  const call = (tool: string, ...args: string[]) => ask("tools/call", "--tool-name", tool, "--tool-arg", ...args);
  const listed = await ask("tools/list");
  const read = await call("read_text_file", "path=a.txt");
  const moved = await call("move_file", "source=a.txt", "destination=c.txt");
  const seen = readFileSync(`${cwd}/seen.log`, "utf8");
  const faults = [
    ["read_text_file is not listed", listed.stdout.includes('"read_text_file"')],
    ["move_file is listed", !listed.stdout.includes('"move_file"')],
    ["read_text_file is not answered", read.code === 0 && read.stdout.includes("content")],
    ["move_file is not refused", moved.code !== 0 || moved.stdout.includes("Refused by the guard")],
    ["move_file reached the server", !seen.includes('"c.txt"')],
  ] as const;
  return faults.flatMap(([fault, isFine]) => (isFine ? [] : [`Inspector: ${fault}`]));
}
