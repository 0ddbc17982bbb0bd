import { buildBrowserScript } from "../../scripts/src/browser-script.ts";

/** Builds a script of a page, such as `verify-history`, into one file. */
export function buildScript(name: string): Promise<string> {
  return buildBrowserScript(new URL(`../src/page/${name}.ts`, import.meta.url));
}
