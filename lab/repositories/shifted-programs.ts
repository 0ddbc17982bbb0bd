import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The programs with which MCP servers are usually launched. */
const LAUNCHERS = ["bunx", "node", "npm", "npx", "pnpm", "python", "python3", "uv", "uvx"];

/**
 * Makes a folder for the beginning of PATH, with a wrapper for each installed launcher that starts it with another
 * clock. Changing only agentprint's clock would not be enough, because a server does not inherit it.
 *
 * @param offset The offset of the clock, as `faketime` accepts it, such as `+1d`
 * @returns The path of the folder
 */
export function shiftedPrograms(scratch: string, offset: string): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const installed = (name: string): string | undefined =>
    folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  const faketime = installed("faketime");
  if (faketime === undefined) throw new Error("install faketime");
  const folder = join(scratch, "shifted");
  mkdirSync(folder);
  for (const name of LAUNCHERS) {
    const path = installed(name);
    if (path === undefined) continue;
    // A program that another wrapper started already has the shifted clock.
    const lines = [
      "#!/bin/sh",
      `[ -n "$FAKETIME" ] && exec '${path}' "$@"`,
      `exec '${faketime}' -f '${offset}' '${path}' "$@"`,
    ];
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`, { mode: 0o755 });
  }
  return folder;
}
