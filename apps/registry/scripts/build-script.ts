import { buildBrowserScript } from "../../scripts/src/browser-script.ts";
import type { PageScript } from "../src/page/page-script.ts";

const SOURCES: Readonly<Record<PageScript, URL>> = {
  "verify-history": new URL("../src/page/verify-history.ts", import.meta.url),
  "check-draft": new URL("../src/page/check-draft.ts", import.meta.url),
};

/** Bundles a page's script into one file. */
export function buildScript(name: PageScript): Promise<string> {
  return buildBrowserScript(SOURCES[name]);
}
