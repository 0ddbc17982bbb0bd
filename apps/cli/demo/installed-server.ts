import { mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const INSTALLED = fileURLToPath(new URL("../node_modules", import.meta.url));

/** The folder of a real MCP server installed under an alias, for example `server-filesystem-2026-7-4`. */
export function installedServer(alias: string): string {
  return realpathSync(join(INSTALLED, alias));
}

/** The script that an installed server's `bin` names. */
export function serverScript(folder: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: Record<string, string> };
  const [script] = Object.values(bin);
  if (script === undefined) throw new Error(`${folder} has no bin`);
  return join(folder, script);
}

/** Points `link` to another version, as an in-place upgrade does; the launch command does not change. */
export function switchVersion(link: string, alias: string): void {
  mkdirSync(dirname(link), { recursive: true });
  // A junction needs no rights on Windows; elsewhere the type is ignored.
  symlinkSync(installedServer(alias), `${link}.new`, "junction");
  renameSync(`${link}.new`, link);
}
