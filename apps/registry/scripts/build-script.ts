import { buildBrowserScript } from "../../scripts/src/browser-script.ts";

/** Builds the script that verifies histories in a browser into one file. */
export function buildScript(): Promise<string> {
  return buildBrowserScript(new URL("../src/page/verify-history.ts", import.meta.url));
}
