import { buildBrowserScript } from "../../../apps/scripts/src/browser-script.ts";

/** The script of the page that shows a run, built from source. */
export const SCRIPT: string = await buildBrowserScript(new URL("../src/page/browser/main.ts", import.meta.url));
