import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";

/** The path of a Node of `version`, from the npm package `node`. */
export function nodeOf(version: string): string {
  const words = ["--yes", "-p", `node@${version}`, "node", "-p", "process.execPath"];
  return execFileSync("npx", words, { encoding: "utf8", cwd: tmpdir() }).trim();
}
