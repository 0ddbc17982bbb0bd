import { readFile } from "node:fs/promises";
import { extname } from "node:path";

/** The pages' scripts: one verifies a history, and one checks a manifest before it is published. */
export const PAGE_SCRIPTS = ["verify-history", "check-draft"] as const;

/** One of {@link PAGE_SCRIPTS}. */
export type PageScript = (typeof PAGE_SCRIPTS)[number];

const scripts = new Map<PageScript, Promise<string>>();

/**
 * Returns a script for browsers: the file next to this module if both are built, or else a bundle that is built now.
 */
export function pageScript(name: PageScript): Promise<string> {
  const known = scripts.get(name);
  if (known) return known;
  const script =
    extname(import.meta.url) === ".ts"
      ? buildFromSource(name)
      : readFile(new URL(`${name}.js`, import.meta.url), "utf8");
  scripts.set(name, script);
  return script;
}

/** Returns a script's path. */
export function scriptPath(name: PageScript): string {
  return `/pages/${name}.js`;
}

async function buildFromSource(name: PageScript): Promise<string> {
  // Bundlers do not follow this specifier, because the published code does not need the module.
  const builder = new URL("../../scripts/build-script.ts", import.meta.url).href;
  const { buildScript }: { buildScript: (name: PageScript) => Promise<string> } = await import(builder);
  return buildScript(name);
}
