import { buildBrowserScript } from "../../scripts/src/browser-script.ts";

/** The script of the page that `agentprint trail show --html` writes, built from source. */
export const SCRIPT: string = await buildBrowserScript(
  new URL("../src/trail-show/page/browser/main.ts", import.meta.url),
);
