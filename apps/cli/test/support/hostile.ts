import { fileURLToPath } from "node:url";

/** Returns the command of a test server in `test/hostile`. */
export function hostile(name: string): string[] {
  return [process.execPath, fileURLToPath(new URL(`../hostile/${name}.mjs`, import.meta.url))];
}
