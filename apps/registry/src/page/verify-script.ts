import { readFile } from "node:fs/promises";
import { extname } from "node:path";

let script: Promise<string> | undefined;

/** The script that verifies histories in a browser: beside this module where both are built, else it is built now. */
export function verifyScript(): Promise<string> {
  script ??=
    extname(import.meta.url) === ".ts"
      ? buildFromSource()
      : readFile(new URL("verify-history.js", import.meta.url), "utf8");
  return script;
}

async function buildFromSource(): Promise<string> {
  // Not a name that a bundler follows: what is published does not need it.
  const builder = new URL("../../scripts/build-script.ts", import.meta.url).href;
  const { buildScript }: { buildScript: () => Promise<string> } = await import(builder);
  return buildScript();
}
