import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";

const found = new Map<string, string>();

/** Returns the path of a Node of `version`, from the npm package `node`. */
export function nodeOf(version: string): string {
  const known = found.get(version);
  if (known !== undefined) return known;
  const words = ["--yes", "-p", `node@${version}`, "node", "-p", "process.execPath"];
  const path = execFileSync("npx", words, { encoding: "utf8", cwd: tmpdir() }).trim();
  found.set(version, path);
  return path;
}
