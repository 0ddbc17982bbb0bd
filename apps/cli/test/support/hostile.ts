import { fileURLToPath } from "node:url";

/** The command of a test server in `test/hostile`. */
export function hostile(name: string): string[] {
  return [process.execPath, fileURLToPath(new URL(`../hostile/${name}.mjs`, import.meta.url))];
}
